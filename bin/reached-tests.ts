import { dirname } from 'node:path';
import type { SourceTree } from './architecture/source-tree.ts';

/** Unit tests that read all sources as files: architecture, names, keys of texts. */
const isAlways = (path: string): boolean => /^[^/]+\.test\.ts$|^content\/messages\.test\.ts$/.test(path);
/** Those that read texts as files. */
const isOfTexts = (path: string): boolean =>
  /^content\/[^/]+\.test\.ts$|^bin\/(check-content|content-links|handbooks)\.test\.ts$/.test(path);
const isCode = (path: string): boolean => /\.(ts|tsx|mjs|js|astro)$/.test(path);

/** The tests that a change may reach, by what runs them. */
export interface ReachedTests {
  unit: string[];
  /** Those that need Postgres. */
  postgres: string[];
}

/**
 * The tests among `tree` that load one of the files `changed`, or lie beside one that is read as a file. Slow ones are
 * left to `npm test`.
 */
export function reachedTests(tree: SourceTree, changed: readonly string[]): ReachedTests {
  const reached = importersOf(tree, changed);
  const folders = new Set(changed.filter((path) => !isCode(path)).map((path) => dirname(path)));
  const withTexts = changed.some((path) => /^content\/|\.md$/.test(path));
  const tests = tree.paths.filter(
    (path) =>
      /\.test\.tsx?$/.test(path) &&
      (isAlways(path) || reached.has(path) || folders.has(dirname(path)) || (withTexts && isOfTexts(path))),
  );
  const kinds = (pattern: RegExp): string[] => tests.filter((path) => pattern.test(path)).sort();
  return {
    unit: kinds(/^(?!.*\.(db|docker|start|soak|slow|page)\.test\.ts$)/),
    postgres: kinds(/\.db\.test\.ts$/),
  };
}

/** The files `changed`, and everything that loads one of them. */
function importersOf(tree: SourceTree, changed: readonly string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const from of tree.paths)
    for (const { to, type } of tree.imports(from))
      if (!type) importers.set(to, [...(importers.get(to) ?? []), from]);
  const reached = new Set(changed);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}
