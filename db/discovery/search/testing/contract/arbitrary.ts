import fc from 'fast-check';
import type {
  CountGroup,
  DocumentChange,
  DocumentVersion,
  FilterTree,
  HitFields,
  Operator,
  SearchDocument,
} from '../../engine.ts';
import type { Sort } from '../../sorts.ts';
import { sorts } from '../../sorts.ts';

/** Random catalogues and filters over few values, so that filters match something. For tests only. */

const loaders = ['fabric', 'forge', 'paper', 'mrpack'];
const categories = ['magic', 'utility', 'fabric'];
const gameVersions = ['1.20', '1.20.1', '1.21'];
const types = ['mod', 'plugin', 'modpack'];
const sides = ['required', 'optional', 'unsupported'];
const titles = ['Lantern', 'LANTERN', 'Über Tür', "Steve's Map", '地図', 'a=b'];
const people = ['ada', 'Ada', 'grace'];
const licenses = ['MIT', 'GPL-3.0-only'];
const dependencyTypes = ['required', 'optional', 'embedded', 'incompatible'];
const ids = Array.from({ length: 12 }, (_, i) => `AAAAAAA${i.toString(36)}`);
const small = fc.integer({ min: 0, max: 6 });

const some = (values: string[]) => fc.subarray(values);

const row: fc.Arbitrary<DocumentVersion> = fc.record({
  version_id: fc.constantFrom('v1', 'v2', 'v3', 'v4'),
  date: small,
  loaders: some(loaders),
  game_versions: some(gameVersions),
  project_types: some(types),
  environment: fc.constantFrom('client_only', 'server_only', null),
  client_side: fc.constantFrom(...sides),
  server_side: fc.constantFrom(...sides),
});

const shown: HitFields = {
  icon_key: null,
  color: null,
  pictures: [],
  date_created: '',
  date_modified: '',
  game_versions: [],
  loaders: [],
  mrpack_loaders: [],
  environments: [],
  client_side: 'unknown',
  server_side: 'unknown',
};

/** A document of project `project_id`. */
export const arbitraryDoc = (project_id: string): fc.Arbitrary<SearchDocument> =>
  fc.record({
    project_id: fc.constant(project_id),
    slug: fc.constant(project_id.toLowerCase()),
    title: fc.constantFrom(...titles),
    description: fc.constantFrom('', 'Light for caves', 'Paints maps'),
    author: fc.constantFrom(...people),
    author_id: fc.constant('user0001'),
    organization: fc.constantFrom(null, 'Makers'),
    organization_id: fc.constant(null),
    categories: some(categories),
    display_categories: fc.constant([]),
    license: fc.constantFrom(...licenses),
    open_source: fc.boolean(),
    downloads: small,
    follows: small,
    created_timestamp: small,
    modified_timestamp: small,
    newest_version: small,
    all_project_types: some(types),
    dependencies: fc.array(
      fc.record({
        project_id: fc.constantFrom(...ids),
        dependency_type: fc.constantFrom(...dependencyTypes),
      }),
      { maxLength: 2 },
    ),
    disclosure_types: some(['archived', 'ai_content']),
    rows: fc.array(row, { maxLength: 4 }),
    hit: fc.constant(shown),
  });

export const arbitraryDocs: fc.Arbitrary<SearchDocument[]> = fc
  .subarray(ids)
  .chain((chosen) => fc.tuple(...chosen.map(arbitraryDoc)) as fc.Arbitrary<SearchDocument[]>);

const equals = fc.constantFrom<Operator>('=', '!=');
const leaf = (key: string, values: Array<string | number | boolean>) =>
  fc.record({ key: fc.constant(key), op: equals, value: fc.constantFrom(...values) });
const numeric = fc.record({
  key: fc.constantFrom('downloads', 'follows', 'created_timestamp', 'modified_timestamp', 'loader_count'),
  op: fc.constantFrom<Operator>('=', '!=', '>', '>=', '<', '<='),
  value: fc.oneof(small, fc.constantFrom<string | number>(2.5, -1, 'many')),
});

const anyLeaf: fc.Arbitrary<FilterTree> = fc.oneof(
  { weight: 4, arbitrary: leaf('categories', [...loaders, ...categories, 'nothing']) },
  { weight: 4, arbitrary: leaf('game_versions', [...gameVersions, '1.7.10']) },
  { weight: 2, arbitrary: leaf('project_types', types) },
  leaf('environment', ['client_only', 'server_only']),
  leaf('client_side', sides),
  leaf('server_side', sides),
  leaf('all_project_types', types),
  leaf('name', [...titles, 'lantern']),
  leaf('author', people),
  leaf('organization', ['makers', 'Others']),
  leaf('license', ['mit', ...licenses]),
  leaf('open_source', [true, false, 'true']),
  leaf('project_id', [...ids, 'aaaaaaa1']),
  leaf('dependency_project_ids', ids),
  ...[...dependencyTypes, 'compatible'].map((type) => leaf(`${type}_dependency_project_ids`, ids)),
  leaf('disclosure_types', ['archived', 'ai_content']),
  leaf('any_loader', loaders),
  leaf('any_game_version', gameVersions),
  leaf('minecraft_server.region', ['europe']),
  numeric,
  fc.record({
    key: fc.constantFrom('categories', 'open_source'),
    op: fc.constant<Operator>('>'),
    value: small,
  }),
  { weight: 1, arbitrary: leaf('no_such_key', ['x']) },
);

/** Any tree, including empty groups and unknown keys. */
export const arbitraryTree: fc.Arbitrary<FilterTree> = fc.letrec<{ tree: FilterTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyLeaf,
    fc.record({ and: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree;

export const arbitrarySort: fc.Arbitrary<Sort> = fc.constantFrom(...sorts);
export const arbitraryOnly = fc.option(
  fc.subarray(ids).map((chosen) => new Set(chosen)),
  { nil: undefined, freq: 4 },
);

/** Puts, removes and counter changes of existing and other projects. */
export const arbitraryChanges: fc.Arbitrary<DocumentChange[]> = fc.array(
  fc.constantFrom(...ids).chain((id) =>
    fc.oneof<fc.Arbitrary<DocumentChange>[]>(
      arbitraryDoc(id).map((put) => ({ put })),
      fc.constant({ remove: id }),
      fc.record({ touch: fc.constant(id), downloads: small }),
      fc.record({ touch: fc.constant(id), downloads: small, follows: small }),
    ),
  ),
  { maxLength: 8 },
);

/** Options under filters, as the filter panel counts them, and any other conditions. */
export const arbitraryGroups: fc.Arbitrary<CountGroup[]> = fc.array(
  fc.record({
    filter: fc.option(arbitraryTree, { freq: 3 }),
    options: fc.array(fc.oneof({ weight: 3, arbitrary: anyLeaf }, arbitraryTree), { maxLength: 6 }),
  }),
  { maxLength: 4 },
);
