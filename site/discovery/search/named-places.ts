import { type Messages, messages as messagesOf } from '#content/messages.ts';
import { spaceless } from '#db/discovery/search/query/tokenize.ts';
import { type ProjectTypeInfo, projectTypes } from '../../platform/paths/project-types.ts';
import { tagName } from '../../platform/text/format.ts';
import { categoriesFor } from './groups.ts';
import { lists } from './state.ts';

/** A list of the catalog that a text may name: all projects of a type, or those of one of its categories. */
export interface NamedPlace {
  kind: ProjectTypeInfo;
  /** The category; null for the whole type. */
  category: string | null;
  /** Its name in the language of the page. */
  name: string;
  /** Whether the text is the whole name, not only its beginning. */
  exact: boolean;
}

/** The names of one place, without spaces: whole ones, and ends of them that begin at a word. */
interface Entry extends Omit<NamedPlace, 'exact'> {
  whole: readonly string[];
  ends: readonly string[];
}

/** Other words for types in English. */
const aliases: Partial<Record<string, readonly string[]>> = {
  resourcepack: ['texture pack', 'texture packs'],
  shader: ['shader pack', 'shader packs'],
};
/** The shortest text that is compared with names; whole names may be shorter. */
const min_letters = 2;
const fallback = messagesOf('en-US');

/**
 * The places that `text` names, in the language of `messages` or in English, as typed so far: exact names first, then
 * types, then categories. The same category of several types is several places.
 */
export function placesNamed(messages: Messages, text: string): NamedPlace[] {
  const typed = spaceless(text);
  if (typed === '') return [];
  const isBegun = (name: string) => name.startsWith(typed) && [...typed].length >= min_letters;
  return entriesOf(messages)
    .map(({ whole, ends, ...place }) => ({
      place,
      exact: whole.includes(typed),
      begun: [...whole, ...ends].some(isBegun),
    }))
    .filter(({ exact, begun }) => exact || begun)
    .map(({ place, exact }) => ({ ...place, exact }))
    .sort((a, b) => Number(b.exact) - Number(a.exact));
}

/** The address of a place, without the language. */
export const placePath = ({ kind, category }: Pick<NamedPlace, 'kind' | 'category'>): string =>
  category === null ? kind.path : `${kind.path}?${new URLSearchParams({ [lists.categories]: category })}`;

const made = new Map<string, readonly Entry[]>();

function entriesOf(messages: Messages): readonly Entry[] {
  let entries = made.get(messages.locale);
  if (!entries) {
    entries = [...projectTypes.map((kind) => typeEntry(messages, kind)), ...categoryEntries(messages)];
    made.set(messages.locale, entries);
  }
  return entries;
}

function typeEntry(messages: Messages, kind: ProjectTypeInfo): Entry {
  const names = [messages, fallback].flatMap(({ t }) => [t(kind.many), t(kind.one)]);
  return {
    kind,
    category: null,
    name: messages.t(kind.many),
    ...namesOf([...names, ...(aliases[kind.type] ?? [])]),
  };
}

const categoryEntries = (messages: Messages): Entry[] =>
  projectTypes.flatMap((kind) =>
    categoriesFor(kind.type).map(({ name }) => ({
      kind,
      category: name,
      name: tagName(messages, name),
      ...namesOf([tagName(messages, name), tagName(fallback, name), name]),
    })),
  );

const namesOf = (names: readonly string[]): Pick<Entry, 'whole' | 'ends'> => ({
  whole: [...new Set(names.map(spaceless))],
  ends: names.flatMap((name) => {
    const words = name.split(/[\s-]+/);
    return words.slice(1).map((_, at) => spaceless(words.slice(at + 1).join(' ')));
  }),
});
