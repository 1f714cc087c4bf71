import { isTest } from './contents.ts';
import type { SourceTree } from './source-tree.ts';

/** What a process does with a table, as letters of Postgres: `r` selects, `a` inserts, `w` updates or locks rows, `d` deletes. */
export type Letter = 'r' | 'a' | 'w' | 'd';
/** Table -> letter -> a file whose SQL does that. */
type TableAccess = Map<string, Map<Letter, string>>;

const writing: ReadonlyArray<[Letter, RegExp]> = [
  ['a', /\binsert\s+into\s+(\w+)/gi],
  ['w', /\bupdate\s+(\w+)(?=[^`]*?\bset\b)/gi],
  ['d', /\bdelete\s+from\s+(\w+)/gi],
];
/** An insert that may update: up to the end of its statement, or the next one in it. */
const upserting =
  /\binsert\s+into\s+(\w+)(?:(?!\binsert\s+into\b)[^;])*?\bon\s+conflict\b[^;]{0,400}?\bdo\s+update\b/gi;
const locking = /\bfor\s+(?:no\s+key\s+)?(?:update|key\s+share|share)\b(?:\s+of\s+(\w+))?/gi;

/** The files that run in the process whose programs are `entries`. */
export function filesReached(tree: SourceTree, entries: readonly string[]): string[] {
  const reached = new Set<string>();
  for (const entry of entries) for (const path of tree.reachedFrom(entry).keys()) reached.add(path);
  return [...reached].filter((path) => tree.has(path) && !isTest(path) && !path.includes('/testing/'));
}

/**
 * What the SQL of these files does with `tables`: by its words, so a table that a text only mentions counts as read. What a
 * value decides, as in `update ${table}`, is not seen.
 */
export function tableAccess(
  tree: SourceTree,
  files: readonly string[],
  tables: ReadonlySet<string>,
): TableAccess {
  const found: TableAccess = new Map();
  const add = (table: string, letter: Letter, path: string) => {
    if (!tables.has(table)) return;
    const known = found.get(table) ?? new Map<Letter, string>();
    if (!known.has(letter)) known.set(letter, path);
    found.set(table, known);
  };
  for (const path of files) {
    const code = tree.code(path);
    for (const [word] of code.matchAll(/\b[a-z]\w*\b/g)) add(word, 'r', path);
    for (const [letter, pattern] of writing)
      for (const [, table] of code.matchAll(pattern)) add(table!, letter, path);
    for (const [, table] of code.matchAll(upserting)) add(table!, 'w', path);
    for (const table of lockedTables(code)) add(table, 'w', path);
  }
  return found;
}

/** The words before each locking clause in the same text, or what its `of` stands for. */
function* lockedTables(code: string): Generator<string> {
  for (const { index, 1: of } of code.matchAll(locking)) {
    const text = code.slice(code.lastIndexOf('`', index - 1) + 1, index);
    for (const [, table, alias] of text.matchAll(/(?:\bfrom|\bjoin|,)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi))
      if (!of || alias === of || table === of) yield table!;
  }
}
