import type {
  CountQuery,
  CountResult,
  DocumentVersion,
  FilterTree,
  Operator,
  Query,
  SearchDocument,
  SearchResult,
} from '../../engine.ts';
import { folded, keys, loaderCount, namesUnknownKey, rowsOf } from '../../query/filter-keys.ts';
import type { Sort } from '../../sorts.ts';

/** Reference implementation for tests: checks each document and each row. */

const some = (values: Array<string | null>) => values.filter((value): value is string => !!value);

/** The values of a key for one row of a project, read from the document. */
function valuesOf(doc: SearchDocument, row: DocumentVersion, key: string): Array<string | number | boolean> {
  const depends = (...types: string[]) =>
    doc.dependencies.filter((one) => types.includes(one.dependency_type)).map((one) => one.project_id);
  switch (key) {
    case 'categories':
      return [...row.loaders, ...doc.categories];
    case 'game_versions':
      return row.game_versions;
    case 'project_types':
      return row.project_types;
    case 'environment':
      return some([row.environment]);
    case 'client_side':
      return some([row.client_side]);
    case 'server_side':
      return some([row.server_side]);
    case 'name':
      return [doc.title];
    case 'author':
      return [doc.author];
    case 'organization':
      return some([doc.organization]);
    case 'license':
      return some([doc.license]);
    case 'any_loader':
      return rowsOf(doc).flatMap(({ loaders }) => loaders);
    case 'any_game_version':
      return rowsOf(doc).flatMap(({ game_versions }) => game_versions);
    case 'loader_count':
      return [loaderCount(doc)];
    case 'dependency_project_ids':
      return doc.dependencies.map((one) => one.project_id);
    case 'compatible_dependency_project_ids':
      return depends('required', 'optional', 'embedded');
    case 'required_dependency_project_ids':
    case 'optional_dependency_project_ids':
    case 'embedded_dependency_project_ids':
    case 'incompatible_dependency_project_ids':
      return depends(key.slice(0, key.indexOf('_')));
    case 'all_project_types':
    case 'open_source':
    case 'project_id':
    case 'downloads':
    case 'follows':
    case 'created_timestamp':
    case 'modified_timestamp':
    case 'disclosure_types':
      return [doc[key]].flat();
    default:
      return [];
  }
}

const compare: Record<Exclude<Operator, '=' | '!='>, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

function equal(key: string, mine: string | number | boolean, query: string | number | boolean): boolean {
  if (typeof mine === 'string') return folded(key, mine) === folded(key, String(query));
  return mine === query;
}

/** Whether one row of a project satisfies the whole tree. */
function satisfies(doc: SearchDocument, row: DocumentVersion, tree: FilterTree): boolean {
  if ('and' in tree) return tree.and.every((part) => satisfies(doc, row, part));
  if ('or' in tree) return tree.or.some((part) => satisfies(doc, row, part));
  if ('not' in tree) return !satisfies(doc, row, tree.not);
  const { key, op, value } = tree;
  const values = valuesOf(doc, row, key);
  if (op === '=') return values.some((mine) => equal(key, mine, value));
  if (op === '!=') return !values.some((mine) => equal(key, mine, value));
  if (keys.get(key)?.kind !== 'number' || typeof value !== 'number') return false;
  return values.some((mine) => compare[op](mine as number, value));
}

const columnOf: Record<Sort, (doc: SearchDocument) => number> = {
  relevance: (doc) => doc.downloads,
  downloads: (doc) => doc.downloads,
  follows: (doc) => doc.follows,
  newest: (doc) => doc.created_timestamp,
  updated: (doc) => doc.modified_timestamp,
};

/** Best first: the column, then the newest version's time, then the id. */
const order = (sort: Sort) => (a: SearchDocument, b: SearchDocument) =>
  columnOf[sort](b) - columnOf[sort](a) ||
  b.newest_version - a.newest_version ||
  (a.project_id < b.project_id ? -1 : 1);

/** Results of a search without text. */
export function naiveSearch(
  docs: Iterable<SearchDocument>,
  query: Query,
): Pick<SearchResult, 'ids' | 'versionIds' | 'total'> {
  const { filter, sort, offset, limit, only } = query;
  const matching = (doc: SearchDocument) =>
    rowsOf(doc).filter((row) => !filter || satisfies(doc, row, filter));
  const found = namesUnknownKey(filter)
    ? []
    : [...docs]
        .filter((doc) => (!only || only.has(doc.project_id)) && matching(doc).length > 0)
        .sort(order(sort));
  const window = found.slice(offset, offset + limit);
  const newest = (doc: SearchDocument) =>
    matching(doc).sort(
      (a, b) => b.date - a.date || ((a.version_id ?? '') < (b.version_id ?? '') ? -1 : 1),
    )[0];
  return {
    ids: window.map(({ project_id }) => project_id),
    versionIds: window.map((doc) => newest(doc)?.version_id ?? null),
    total: found.length,
  };
}

/** Counts without text: the total of a search with each option. */
export function naiveCounts(docs: SearchDocument[], { groups }: CountQuery): CountResult['counts'] {
  const page = { text: '', sort: 'downloads', offset: 0, limit: 1 } as const;
  return groups.map(({ filter, options }) =>
    options.map((option) => naiveSearch(docs, { ...page, filter: withOption(filter, option) }).total),
  );
}

/** A group's filter and one of its options. */
export const withOption = (filter: FilterTree | null, option: FilterTree): FilterTree =>
  filter ? { and: [filter, option] } : option;
