import { searchFilters } from '../../../catalogue/projects/stored-fields.ts';
import type { DocumentVersion, FilterTree, Operator, SearchDocument } from '../engine.ts';

interface Key {
  /** Level of the key: a group of versions (row) or the whole project. */
  level: 'row' | 'project';
  kind: 'text' | 'number' | 'boolean';
  /** Ids are case-sensitive; every other text is case-insensitive. */
  exact?: true;
}

const row: Key = { level: 'row', kind: 'text' };
const text: Key = { level: 'project', kind: 'text' };
const id: Key = { level: 'project', kind: 'text', exact: true };
const number: Key = { level: 'project', kind: 'number' };

/** The filter keys. `categories` counts as a row key, because it includes loaders. Source: search §2. */
export const keys: ReadonlyMap<string, Key> = new Map(
  Object.entries({
    categories: row,
    game_versions: row,
    project_types: row,
    environment: row,
    client_side: row,
    server_side: row,
    all_project_types: text,
    ...Object.fromEntries([...searchFilters.keys()].map((key) => [key, text])),
    author: text,
    organization: text,
    license: text,
    open_source: { level: 'project', kind: 'boolean' } as Key,
    project_id: id,
    downloads: number,
    follows: number,
    created_timestamp: number,
    modified_timestamp: number,
    dependency_project_ids: id,
    compatible_dependency_project_ids: id,
    required_dependency_project_ids: id,
    optional_dependency_project_ids: id,
    embedded_dependency_project_ids: id,
    incompatible_dependency_project_ids: id,
    disclosure_types: text,
    any_loader: text,
    any_game_version: text,
    loader_count: number,
    'minecraft_server.region': text,
    'minecraft_server.languages': text,
    'minecraft_java_server.content.kind': text,
  }),
);

/** Fast path: most values are names of loaders, versions and categories. */
const plain = /^[a-z0-9._+-]*$/;

/** Normalizes text for comparison under `key`. */
export function folded(key: string, value: string): string {
  if (plain.test(value)) return value;
  const safe = value.replaceAll('\0', '\u{FFFD}');
  return keys.get(key)?.exact ? safe : safe.normalize('NFC').toLowerCase();
}

/** The row of a project without versions: one empty row. */
export const emptyRow: DocumentVersion = {
  version_id: null,
  date: 0,
  loaders: [],
  game_versions: [],
  project_types: [],
  environment: null,
  client_side: '',
  server_side: '',
};

export const rowsOf = (doc: SearchDocument): DocumentVersion[] =>
  doc.rows.length > 0 ? doc.rows : [emptyRow];

/** Newest first; equal dates by id. The newest row of a set is its first one. */
export const newestFirst = (rows: readonly DocumentVersion[]): DocumentVersion[] =>
  [...rows].sort((a, b) => b.date - a.date || ((a.version_id ?? '') < (b.version_id ?? '') ? -1 : 1));

type Values = Array<readonly [key: string, value: string]>;
function add(to: Values, key: string, values: Iterable<string | null>): void {
  for (const value of values) if (value) to.push([key, folded(key, value)]);
}

/** The key-value pairs that match one row. */
export const rowValues = (doc: SearchDocument, of: DocumentVersion): Values => [
  ...categoryValues(doc),
  ...documentValues(of),
];

/** The values of `categories` that apply to every row. */
export function categoryValues(doc: SearchDocument): Values {
  const values: Values = [];
  add(values, 'categories', doc.categories);
  return values;
}

/** The key-value pairs of a row itself; under `categories` its loaders. */
export function documentValues(of: DocumentVersion): Values {
  const values: Values = [];
  add(values, 'categories', of.loaders);
  add(values, 'game_versions', of.game_versions);
  add(values, 'project_types', of.project_types);
  add(values, 'environment', [of.environment]);
  add(values, 'client_side', [of.client_side]);
  add(values, 'server_side', [of.server_side]);
  return values;
}

/** The key-value pairs that apply to a project with any row. */
export function projectValues(doc: SearchDocument): Values {
  const rows = rowsOf(doc);
  const values: Values = [['open_source', String(doc.open_source)]];
  add(values, 'all_project_types', doc.all_project_types);
  for (const [key, column] of searchFilters) add(values, key, [doc[column] ?? null]);
  add(values, 'author', [doc.author]);
  add(values, 'organization', [doc.organization]);
  add(values, 'license', [doc.license]);
  add(values, 'project_id', [doc.project_id]);
  add(values, 'disclosure_types', doc.disclosure_types);
  add(values, 'any_loader', new Set(rows.flatMap(({ loaders }) => loaders)));
  add(values, 'any_game_version', new Set(rows.flatMap(({ game_versions }) => game_versions)));
  for (const { project_id, dependency_type } of doc.dependencies) {
    values.push(['dependency_project_ids', project_id]);
    values.push([`${dependency_type}_dependency_project_ids`, project_id]);
    if (dependency_type !== 'incompatible') values.push(['compatible_dependency_project_ids', project_id]);
  }
  return values;
}

/** Number of loaders of a project's versions, without the pack format. */
export const loaderCount = (doc: SearchDocument): number =>
  new Set(doc.rows.flatMap(({ loaders }) => loaders).filter((name) => name !== 'mrpack')).size;

/** Whether the tree uses an unknown key: then nothing matches. Source: search §2. */
export function namesUnknownKey(tree: FilterTree | null): boolean {
  if (!tree) return false;
  if ('and' in tree) return tree.and.some(namesUnknownKey);
  if ('or' in tree) return tree.or.some(namesUnknownKey);
  if ('not' in tree) return namesUnknownKey(tree.not);
  return !keys.has(tree.key);
}

/** Whether the operator is an ordering; such leaves match numbers only. */
export const isRange = (op: Operator): boolean => op !== '=' && op !== '!=';
