import { categoriesOf, loaders, type ProjectType, projectTypes } from '#db/catalogue/tags/rules.ts';
import type { Random } from '#db/demo/art/random.ts';
import type { CountGroup, FilterTree } from '#db/discovery/search/engine.ts';
import { parseFilter } from '#db/discovery/search/query/query-language.ts';
import { releases } from '#db/discovery/search/testing/evaluation/corpus.ts';
import { facetsOf } from '#site/discovery/search/facets.ts';
import { parseState, type SearchState } from '#site/discovery/search/state.ts';

const types: ProjectType[] = [
  'mod',
  'mod',
  'mod',
  'mod',
  'modpack',
  'resourcepack',
  'shader',
  'plugin',
  'datapack',
];
const untouched = parseState(new URLSearchParams());
const games = releases().reverse();

/** Up to two items of a list, the first ones more often; the shares are the probabilities of one and of two. */
function chosen(source: Random, list: readonly string[], one: number, two: number): string[] {
  const draw = source.next();
  const count = draw < two ? 2 : draw < two + one ? 1 : 0;
  const pick = () => list[Math.floor(list.length * source.next() ** 3)] as string;
  return [...new Set(Array.from({ length: list.length > 0 ? count : 0 }, pick))];
}

/** A search page: its filter, and the options of its filter panel. */
export interface ScreenFilter {
  filter: FilterTree | null;
  groups: CountGroup[];
}

const equals =
  (key: string) =>
  (value: string): FilterTree => ({ key, op: '=', value });
/** What the tabs count while there is a text. */
export const typesGroup: CountGroup = { filter: null, options: projectTypes.map(equals('project_types')) };

/** A search page with some filters set: always a type, mostly game versions and a loader. */
export function screenFilter(source: Random): ScreenFilter {
  const type = source.pick(types);
  const own = loaders
    .filter(({ supported_project_types, hidden }) => supported_project_types.includes(type) && !hidden)
    .map(({ name }) => name);
  const categories = categoriesOf([type]).map(({ name }) => name);
  const sided = type === 'mod' || type === 'modpack';
  const state = {
    ...untouched,
    loaders: chosen(source, own, 0.45, 0.08),
    not_loaders: chosen(source, own, 0.03, 0),
    versions: chosen(source, games, 0.45, 0.1),
    categories: chosen(source, categories, 0.25, 0.08),
    not_categories: chosen(source, categories, 0.04, 0),
    sides: sided ? chosen(source, ['client', 'server'], 0.1, 0.02) : [],
    open_source: source.next() < 0.06,
  };
  const tree = (of: SearchState) => parseFilter({ facets: JSON.stringify(facetsOf(of, type)) }, 2);
  const filter = tree(state);
  const sides = ['client_side', 'server_side'].map((key) => ({
    or: ['required', 'optional'].map(equals(key)),
  }));
  return {
    filter,
    groups: [
      { filter: tree({ ...state, versions: [] }), options: games.map(equals('game_versions')) },
      { filter: tree({ ...state, loaders: [] }), options: own.map(equals('categories')) },
      { filter, options: categories.map(equals('categories')) },
      { filter, options: [...(sided ? sides : []), { key: 'open_source', op: '=', value: true }] },
    ],
  };
}
