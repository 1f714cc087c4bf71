import type { Known } from './query-notices.ts';
import { isFiltered, type RequestedType, type SearchState } from './state.ts';

/** A search whose words are filters, as far as they name versions, loaders, environments or licenses. */
export interface Recognized {
  state: SearchState;
  /** Whether a word can hardly be meant otherwise, as `1.21.4`: `fabric` may also begin a name. */
  is_certain: boolean;
}

const sides: Readonly<Record<string, 'client' | 'server'>> = {
  ...{ client: 'client', 'client-side': 'client', clientside: 'client' },
  ...{ server: 'server', 'server-side': 'server', serverside: 'server' },
};
/** Names of open licenses: the list can be filtered by open source only. */
const licenses =
  /^(?:open-?source|foss|oss|mit|apache-2(?:\.0)?|(?:a|l)?gpl(?:v?[23](?:\.\d)?)?|mpl-2(?:\.0)?|bsd|cc0)$/;
const number = /^\d+\.\d+(?:\.\d+)?$/;

/** The known versions of a word: `1.21.4`, `mc1.21`, `1.20.x`, `1.20-1.21.4`, `1.21+`. `known`: newest first. */
function versionsOf(word: string, known: readonly string[]): string[] {
  const bare = word.replace(/^(?:mc|v)(?=\d)/, '');
  if (known.includes(bare)) return [bare];
  const line = /^(\d+\.\d+)\.(?:x|\*)$/.exec(bare)?.[1];
  if (line) return known.filter((one) => number.test(one) && (one === line || one.startsWith(`${line}.`)));
  const [from, to] = /^(\d[\d.]*)\+$/.test(bare)
    ? [bare.slice(0, -1), known.find((one) => number.test(one))]
    : (/^(\d+(?:\.\d+)*)(?:-|–|\.\.)(\d+(?:\.\d+)*)$/.exec(bare)?.slice(1) ?? []);
  if (from === undefined || to === undefined) return [];
  const [last, first] = [known.indexOf(from), known.indexOf(to)];
  return last < 0 || first < 0 || first > last
    ? []
    : known.slice(first, last + 1).filter((one) => number.test(one));
}

/** Most versions that words may name: a range from the first one on says nothing. */
const max_versions = 64;

/**
 * The words of a search that name versions, ranges, loaders, environments or licenses as filters, which are shown as chips;
 * null without any. `versions`: all known ones, newest first. Filters that are chosen already stay.
 */
export function recognized(
  state: SearchState,
  known: Pick<Known, 'loaders'>,
  versions: readonly string[],
  { has_sides }: { has_sides: boolean },
): Recognized | null {
  const found: Record<Exclude<RequestedType, 'categories'>, string[]> = {
    versions: [],
    loaders: [],
    sides: [],
  };
  let open_source = false;
  let is_certain = false;
  const rest = state.text
    .replace(/open source/gi, 'open-source')
    .split(/\s+/)
    .filter((typed) => {
      const word = typed.toLowerCase();
      const named = versionsOf(word, versions);
      const side = has_sides ? sides[word] : undefined;
      if (named.length > 0) found.versions.push(...named);
      else if (known.loaders.has(word)) found.loaders.push(word);
      else if (side) found.sides.push(side);
      else if (licenses.test(word)) open_source = true;
      else return true;
      is_certain ||= named.length > 0 || (side !== undefined && word !== side) || open_source;
      return false;
    });
  const isNothing = !open_source && Object.values(found).every((values) => values.length === 0);
  if (isNothing || found.versions.length > max_versions) return null;
  const both = (list: keyof typeof found) => [...new Set([...state[list], ...found[list]])];
  const filtered = {
    ...state,
    ...{ versions: both('versions'), loaders: both('loaders'), sides: both('sides') },
    not_versions: state.not_versions.filter((one) => !found.versions.includes(one)),
    not_loaders: state.not_loaders.filter((one) => !found.loaders.includes(one)),
    not_sides: state.not_sides.filter((one) => !(found.sides as string[]).includes(one)),
    open_source: state.open_source || open_source,
    text: rest.join(' '),
  };
  return isFiltered(filtered) ? { state: filtered, is_certain } : null;
}
