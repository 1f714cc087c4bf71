import type { Fragment } from 'postgres';
import type { Db } from '../../sql.ts';
import type { Doc, Row, Tree } from '../engine.ts';
import { folded, isRange, keys, projectValues, rowsOf, rowValues } from '../keys.ts';

/** How keys are written in the arrays; short, there are millions. `any_game_version` is the union over all rows. */
const codes = new Map([...keys.keys()].map((key, i) => [key, i.toString(36)]));
codes.set('any_game_version', codes.get('game_versions') as string);
const pair = (key: string, value: string): string => `${codes.get(key)}:${value}`;

export const rowKeys = (doc: Doc, row: Row): string[] => [
  ...new Set(rowValues(doc, row).map(([key, value]) => pair(key, value))),
];

/** The project's own pairs and those of all its rows. */
export const documentKeys = (doc: Doc): string[] => [
  ...new Set([
    ...rowsOf(doc).flatMap((row) => rowKeys(doc, row)),
    ...projectValues(doc).map(([key, value]) => pair(key, value)),
  ]),
];

type Leaf = Extract<Tree, { key: string }>;
type Columns = 'd' | 'r';

const isLeaf = (tree: Tree): tree is Leaf => 'key' in tree;
const kindOf = ({ key }: Leaf) => keys.get(key)?.kind ?? 'text';
const isPair = (tree: Tree): tree is Leaf =>
  isLeaf(tree) &&
  !isRange(tree.op) &&
  kindOf(tree) !== 'number' &&
  (kindOf(tree) !== 'boolean' || typeof tree.value === 'boolean');
const columnsOf = ({ key }: Leaf): Columns => (keys.get(key)?.level === 'row' ? 'r' : 'd');
const written = ({ key, value }: Leaf): string => pair(key, folded(key, String(value)));
const onRows = (tree: Tree): boolean => {
  if (isLeaf(tree)) return columnsOf(tree) === 'r';
  if ('not' in tree) return onRows(tree.not);
  return ('and' in tree ? tree.and : tree.or).some(onRows);
};

/** A comparison of numbers; whatever cannot be compared equals nothing. */
function numeric(db: Db, { key, op, value }: Leaf): Fragment {
  if (kindOf({ key, op, value }) !== 'number' || typeof value !== 'number')
    return op === '!=' ? db`true` : db`false`;
  const column = db(`d.${key}`);
  const operator = { '=': db`=`, '!=': db`<>`, '>': db`>`, '>=': db`>=`, '<': db`<`, '<=': db`<=` }[op];
  return db`${column} ${operator} ${value}::float8`;
}

const arrays = (db: Db, columns: Columns) => (columns === 'r' ? db`r.keys` : db`d.keys`);

/** Equal operators over one array become one array test, so that an index may answer it. */
function pairs(db: Db, leaves: Leaf[], joint: 'and' | 'or'): Fragment[] {
  const parts: Fragment[] = [];
  for (const columns of ['d', 'r'] as const)
    for (const op of ['=', '!='] as const) {
      const values = leaves.filter((leaf) => leaf.op === op && columnsOf(leaf) === columns).map(written);
      if (values.length === 0) continue;
      const array = arrays(db, columns);
      const all = (joint === 'and') === (op === '=');
      const test = all ? db`${array} @> ${values}::text[]` : db`${array} && ${values}::text[]`;
      parts.push(op === '=' ? test : db`not (${test})`);
    }
  return parts;
}

function join(db: Db, parts: Fragment[], joint: 'and' | 'or'): Fragment {
  if (parts.length === 0) return joint === 'and' ? db`true` : db`false`;
  const between = joint === 'and' ? db`and` : db`or`;
  return db`(${parts.map((part, i) => (i === 0 ? part : db` ${between} ${part}`))})`;
}

/** The tree over one row `r` of a project `d`. */
export function onOneRow(db: Db, tree: Tree): Fragment {
  if (isLeaf(tree)) return isPair(tree) ? (pairs(db, [tree], 'and')[0] as Fragment) : numeric(db, tree);
  if ('not' in tree) return db`not ${onOneRow(db, tree.not)}`;
  const joint = 'and' in tree ? 'and' : 'or';
  const children = 'and' in tree ? tree.and : tree.or;
  const others = children.filter((child) => !isPair(child)).map((child) => onOneRow(db, child));
  return join(db, [...pairs(db, children.filter(isPair), joint), ...others], joint);
}

/** What must hold for the union of a project's rows when one of them satisfies the tree; null when nothing must. */
function necessary(db: Db, tree: Tree): Fragment | null {
  if (isLeaf(tree)) return isPair(tree) && tree.op === '=' ? db`d.keys @> ${[written(tree)]}::text[]` : null;
  if ('not' in tree) return null;
  if ('or' in tree) {
    if (tree.or.every((child) => isPair(child) && child.op === '='))
      return db`d.keys && ${(tree.or as Leaf[]).map(written)}::text[]`;
    const parts = tree.or.map((child) => necessary(db, child));
    return parts.every((part) => part !== null) ? join(db, parts, 'or') : null;
  }
  const parts = tree.and.map((child) => necessary(db, child)).filter((part) => part !== null);
  return parts.length > 0 ? join(db, parts, 'and') : null;
}

const flat = (tree: Tree): Tree[] => ('and' in tree ? tree.and.flatMap(flat) : [tree]);

/** Whether the union of the rows decides alone: some row has one of these values. */
const isChoice = (tree: Tree): boolean =>
  (isPair(tree) && tree.op === '=') ||
  ('or' in tree && tree.or.every((child) => isPair(child) && child.op === '='));

/**
 * The tree over projects `d`: what concerns the project is asked of it, the rest of one single row together. The
 * union of the rows is asked first, because an index answers it. Source: search §2 (same-version rule).
 */
export function onProjects(db: Db, tree: Tree | null): Fragment {
  if (!tree) return db`true`;
  const parts = flat(tree);
  const ofProject: Tree = { and: parts.filter((part) => !onRows(part)) };
  const ofRows = parts.filter(onRows);
  if (ofRows.length === 0) return onOneRow(db, ofProject);
  const union = necessary(db, { and: ofRows }) ?? db`true`;
  if (ofRows.length === 1 && isChoice(ofRows[0] as Tree)) return db`${onOneRow(db, ofProject)} and ${union}`;
  return db`${onOneRow(db, ofProject)} and ${union} and exists (
    select from search_rows r where r.project_id = d.project_id and ${onOneRow(db, { and: ofRows })})`;
}
