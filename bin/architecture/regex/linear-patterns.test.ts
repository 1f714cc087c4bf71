import { expect, it } from 'vitest';
import { crashRules } from '../../../db/hosting/servers/crashes/data/causes.ts';
import { isTest } from '../contents.ts';
import { projectSources, SourceTree } from '../source-tree.ts';
import { builtPatterns, ownTexts } from './exceptions.ts';
import { findPatterns } from './find-patterns.ts';
import { superLinear } from './super-linear.ts';

/** A pattern over text of somebody else takes linear time: otherwise one person's text stops everybody. */
const tree = projectSources();
const product = tree.paths.filter(
  (path) => /^(?:db|site|control-plane|agents|content)\//.test(path) && !isTest(path),
);
const { literals, built } = findPatterns(tree, product);
const advice =
  'bound the repeat ({0,200}), split the text first, or let the repeat begin where no such sign stands before: (?<!x)x+$';

it('patterns of the product take linear time', () => {
  const wrong = literals.flatMap(({ path, line, source, flags }) => {
    const why = path in ownTexts ? null : superLinear(source, flags);
    return why ? [`${path}:${line}: /${source}/${flags}: ${why}; ${advice}`] : [];
  });
  expect(wrong).toEqual([]);
});

it('patterns of causes of crashes take linear time', () => {
  const patterns = crashRules.flatMap((rule) =>
    rule.patterns.flatMap((one) => Object.values(one).filter((value) => value instanceof RegExp)),
  );
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter(({ source, flags }) => superLinear(source, flags) !== null)).toEqual([]);
});

it('patterns are built of what the product says only', () => {
  const unknown = built.filter(({ path }) => !(path in builtPatterns));
  expect(unknown.map(({ path, line, code }) => `${path}:${line}: ${code} may hold signs of others`)).toEqual(
    [],
  );
});

it('has no exception that nothing needs', () => {
  const needed = new Set(
    literals
      .filter(({ path, source, flags }) => path in ownTexts && superLinear(source, flags))
      .map((one) => one.path),
  );
  expect([...needed].sort()).toEqual(Object.keys(ownTexts).sort());
  expect([...new Set(built.map(({ path }) => path))].sort()).toEqual(Object.keys(builtPatterns).sort());
});

it.each([
  ['a repeat at the end', /\s+$/],
  ['a repeat within a repeat', /^(?:a+)+$/],
  ['two repeats of the same signs', /^\W{2,}.*help/],
  ['two repeats with a word between', /^.*\]: .*!$/],
  ['a word that begins again and again', /<!--[\s\S]*?-->/],
  ['a sign that begins again and again', /"[^>]*>/],
  ['each line of a text', /^```[\s\S]*?^```/m],
])('refuses %s: %s', (_, pattern) => {
  expect(superLinear(pattern.source, pattern.flags)).not.toBeNull();
});

it.each([
  ['a bound', /^\W{2,80}[^\n]{0,200}help/],
  ['a sign that ends the repeat', /"[^"]*"/],
  ['one place to begin at', /(?<!\s)\s+$/],
  ['whole words', /\b(?:rail\w*|train)\b/],
  ['the rest of a text', /^([^#]*)(#.*)?$/s],
  ['one or the other', /^(?:\(.*\)|\[.*\])$/],
])('allows %s: %s', (_, pattern) => {
  expect(superLinear(pattern.source, pattern.flags)).toBeNull();
});

it('finds patterns in code, markup, heads and scripts of pages', () => {
  const page =
    '---\nconst a = /x+$/;\n---\n<p>{t.replace(/y+$/, "")}</p>\n<script>\n  call(/z+$/);\n</script>\n';
  const sample = new SourceTree({
    'site/a.astro': page,
    'db/b.ts': "const q = new RegExp('b+$', 'i');\nnew RegExp(q);",
  });
  const found = findPatterns(sample, sample.paths);
  expect(found.literals.map(({ source, line }) => [source, line])).toEqual(
    expect.arrayContaining([
      ['x+$', 2],
      ['y+$', 4],
      ['z+$', 6],
      ['b+$', 1],
    ]),
  );
  expect(found.built).toEqual([{ path: 'db/b.ts', line: 2, code: 'new RegExp(q)' }]);
});
