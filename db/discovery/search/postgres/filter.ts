import type { Fragment } from 'postgres';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { FilterTree, SearchDocument } from '../engine.ts';
import { folded, keys, newestFirst, projectValues, rowsOf, rowValues } from '../query/filter-keys.ts';
import { isLeaf, isPair, kindOf, type Leaf, onRows } from '../query/filter-leaves.ts';

/** Short forms of keys in the arrays, which have millions of entries. `any_game_version` is the union over all rows. */
const codes = new Map([...keys.keys()].map((key, i) => [key, i.toString(36)]));
codes.set('any_game_version', codes.get('game_versions') as string);
const pair = (key: string, value: string): string => `${codes.get(key)}:${value}`;

/** Values of a document's rows, each with a bit mask of the rows that have it, newest row first. */
export interface Masks {
  versions: Array<string | null>;
  row_keys: string[];
  masks: string[];
  whole: string;
}

export function masksOf(doc: SearchDocument): Masks {
  const rows = newestFirst(rowsOf(doc));
  const having = new Map<string, Set<number>>();
  rows.forEach((row, n) => {
    for (const [key, value] of rowValues(doc, row)) {
      const name = pair(key, value);
      having.set(name, (having.get(name) ?? new Set()).add(n));
    }
  });
  return {
    versions: rows.map(({ version_id }) => version_id),
    row_keys: [...having.keys()],
    masks: [...having.values()].map((of) => rows.map((_, n) => (of.has(n) ? '1' : '0')).join('')),
    whole: '1'.repeat(rows.length),
  };
}

/** The project's own pairs and those of all its rows. */
export const documentKeys = (doc: SearchDocument, { row_keys }: Masks): string[] => [
  ...new Set([...row_keys, ...projectValues(doc).map(([key, value]) => pair(key, value))]),
];

/** A condition on one value as it stands in the arrays. */
export const written = ({ key, value }: Leaf): string => pair(key, folded(key, String(value)));

/** A comparison of numbers; incomparable values match nothing. */
function numeric(db: Db, { key, op, value }: Leaf): Fragment {
  if (kindOf({ key, op, value }) !== 'number' || typeof value !== 'number')
    return op === '!=' ? db`true` : db`false`;
  const column = db(`d.${key}`);
  const operator = { '=': db`=`, '!=': db`<>`, '>': db`>`, '>=': db`>=`, '<': db`<`, '<=': db`<=` }[op];
  return db`${column} ${operator} ${value}::float8`;
}

/** Equality conditions on project keys become one array test, so that an index can answer them. */
function pairs(db: Db, leaves: Leaf[], joint: 'and' | 'or'): Fragment[] {
  return (['=', '!='] as const).flatMap((op) => {
    const values = leaves.filter((leaf) => leaf.op === op).map(written);
    if (values.length === 0) return [];
    const all = (joint === 'and') === (op === '=');
    const test = all ? db`d.keys @> ${values}::text[]` : db`d.keys && ${values}::text[]`;
    return [op === '=' ? test : db`not (${test})`];
  });
}

function join(db: Db, parts: Fragment[], between: Fragment, empty: Fragment): Fragment {
  if (parts.length === 0) return empty;
  return db`(${parts.map((part, i) => (i === 0 ? part : db` ${between} ${part}`))})`;
}

/** A tree with conditions on the project only. */
function onProject(db: Db, tree: FilterTree): Fragment {
  if (isLeaf(tree)) return isPair(tree) ? (pairs(db, [tree], 'and')[0] as Fragment) : numeric(db, tree);
  if ('not' in tree) return db`not ${onProject(db, tree.not)}`;
  const children = 'and' in tree ? tree.and : tree.or;
  const others = children.filter((child) => !isPair(child)).map((child) => onProject(db, child));
  const parts = [...pairs(db, children.filter(isPair), 'and' in tree ? 'and' : 'or'), ...others];
  return 'and' in tree ? join(db, parts, db`and`, db`true`) : join(db, parts, db`or`, db`false`);
}

/** The rows of a project that satisfy the tree, as a bit mask. */
function rowsThat(db: Db, tree: FilterTree): Fragment {
  if (!onRows(tree)) return db`case when ${onProject(db, tree)} then d.whole else ~d.whole end`;
  if (isLeaf(tree)) {
    if (!isPair(tree)) return db`~d.whole`; // a range over text
    const having = db`coalesce(d.masks[array_position(d.row_keys, ${written(tree)}::text)], ~d.whole)`;
    return tree.op === '=' ? having : db`~${having}`;
  }
  if ('not' in tree) return db`~(${rowsThat(db, tree.not)})`;
  if ('and' in tree)
    return join(
      db,
      tree.and.map((child) => rowsThat(db, child)),
      db`&`,
      db`d.whole`,
    );
  return join(
    db,
    tree.or.map((child) => rowsThat(db, child)),
    db`|`,
    db`~d.whole`,
  );
}

/** The newest version of the rows that satisfy the tree. */
export const newestVersion = (db: Db, tree: FilterTree | null): Fragment =>
  tree ? db`d.versions[position(B'1' in (${rowsThat(db, tree)}))]` : db`d.versions[1]`;

/** The rows of a project that satisfy the tree's conditions on rows, as a bit mask; null: it has none. */
export function fittingRows(db: Db, tree: FilterTree | null): Fragment | null {
  const ofRows = tree ? flat(tree).filter(onRows) : [];
  return ofRows.length > 0 ? rowsThat(db, { and: ofRows }) : null;
}

/** A necessary condition on the union of a project's rows if one of them satisfies the tree; null for none. */
function necessary(db: Db, tree: FilterTree): Fragment | null {
  if (isLeaf(tree)) return isPair(tree) && tree.op === '=' ? db`d.keys @> ${[written(tree)]}::text[]` : null;
  if ('not' in tree) return null;
  if ('or' in tree) {
    if (tree.or.every((child) => isPair(child) && child.op === '='))
      return db`d.keys && ${(tree.or as Leaf[]).map(written)}::text[]`;
    const parts = tree.or.map((child) => necessary(db, child));
    return parts.every((part) => part !== null) ? join(db, parts, db`or`, db`false`) : null;
  }
  const parts = tree.and.map((child) => necessary(db, child)).filter((part) => part !== null);
  return parts.length > 0 ? join(db, parts, db`and`, db`true`) : null;
}

const flat = (tree: FilterTree): FilterTree[] => ('and' in tree ? tree.and.flatMap(flat) : [tree]);

/** Whether the union of the rows is sufficient: some row has one of these values. */
const isChoice = (tree: FilterTree): boolean =>
  (isPair(tree) && tree.op === '=') ||
  ('or' in tree && tree.or.every((child) => isPair(child) && child.op === '='));

/**
 * The tree as a condition on projects `d`: conditions on the project use its keys, all others together a single row.
 * The union of the rows is tested first, because an index can answer it. Source: search §2 (same-version rule).
 */
export function onProjects(db: Db, tree: FilterTree | null): Fragment {
  if (!tree) return db`true`;
  const parts = flat(tree);
  const own = onProject(db, { and: parts.filter((part) => !onRows(part)) });
  const ofRows = parts.filter(onRows);
  if (ofRows.length === 0) return own;
  const union = necessary(db, { and: ofRows }) ?? db`true`;
  if (ofRows.length === 1 && isChoice(ofRows[0] as FilterTree)) return db`${own} and ${union}`;
  return db`${own} and ${union} and bit_count(${rowsThat(db, { and: ofRows })}) > 0`;
}
