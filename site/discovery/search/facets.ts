import { categories } from '#db/catalogue/tags/rules.ts';
import { isResolution, type SearchState } from './state.ts';

const sideValues = ['required', 'optional'];
const impacts = new Set(
  categories.filter(({ header }) => header === 'performance impact').map(({ name }) => name),
);
/** Categories of which a project usually has one: several selected ones mean any of them. */
export const isOneOfMany = (type: string, name: string): boolean =>
  isResolution(name) || (type === 'shader' && impacts.has(name));

/**
 * The API facets of a state: groups are AND-ed, the items of one are alternatives. Categories all; resolutions,
 * performance impacts, loaders and game versions any of their values. Loader, game version and side must match one and
 * the same version of a project. Exclusions apply to the whole project: excluding Forge hides everything that also
 * supports Forge. Source: search §2; screens §A.4.
 */
export function facetsOf(state: SearchState, type: string): string[][] {
  const any = state.categories.filter((name) => isOneOfMany(type, name));
  const requestedImpacts = any.filter((name) => !isResolution(name));
  const equal = (key: string, names: string[]) => names.map((name) => `${key} = ${quoted(name)}`);
  const unequal = (key: string, names: string[]) => names.map((name) => [`${key} != ${quoted(name)}`]);
  return [
    [`project_types=${type}`],
    ...state.categories.filter((name) => !any.includes(name)).map((name) => equal('categories', [name])),
    equal('categories', any.filter(isResolution)),
    equal('categories', requestedImpacts),
    ...unequal('categories', state.not_categories),
    equal('categories', state.loaders),
    ...unequal('any_loader', state.not_loaders),
    equal('game_versions', state.versions),
    ...unequal('any_game_version', state.not_versions),
    ...state.sides.map((side) => sideValues.map((value) => `${side}_side:${value}`)),
    ...state.not_sides.flatMap((side) => sideValues.map((value) => [`${side}_side!=${value}`])),
    ...(state.open_source ? [['open_source:true']] : []),
  ].filter((group) => group.length > 0);
}

const quoted = (name: string): string => `"${name.replace(/[\\"]/g, '\\$&')}"`;
