import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectSources } from './architecture/source-tree.ts';

const read = (name: string) => readFileSync(new URL(`../deploy/monitoring/${name}`, import.meta.url), 'utf8');
/** Names that processes report: those of the code, and the defaults of the library. */
const reported = new Set(
  projectSources()
    .paths.filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
    .flatMap((path) =>
      [
        ...readFileSync(path, 'utf8').matchAll(
          /\b(?:gauge|gaugesBy|counter|durations)(?:<[^(]*>)?\(\s*registry,\s*'(\w+)'|^\s+(search_\w+): \['/gm,
        ),
      ].map(([, name, listed]) => (name ?? listed)!),
    ),
);
const byLibrary = /^(?:up|process_\w+|nodejs_\w+)$/;

/** Names of metrics in an expression: words that no bracket follows and that are no label. */
const namesIn = (expression: string): string[] =>
  [
    ...expression
      .replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)|"[^"]*"/g, ' ')
      .matchAll(/[a-z]\w*_?\w*\b(?!\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'by', 'm'].includes(name))
    .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));

const alerts = (
  parse(read('alerts.yml')) as { groups: Array<{ rules: Array<{ alert: string; expr: string }> }> }
).groups;
const panels = (
  JSON.parse(read('grafana.json')) as { panels: Array<{ title: string; targets: Array<{ expr: string }> }> }
).panels;

it.each([
  ...alerts.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
])('%s asks for metrics that exist: %s', (_, expression) => {
  const names = namesIn(expression);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !reported.has(name) && !byLibrary.test(name))).toEqual([]);
});
