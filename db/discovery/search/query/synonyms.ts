import { synonymRows } from './data/synonyms.ts';
import { queryTokens } from './tokenize.ts';

/** What a word of a query finds besides itself: projects with a tag, or with another word in any field. */
export type Synonym = { word: string } | Tag;
/** A project's category or type, as a filter on the project. */
export interface Tag {
  key: 'categories' | 'all_project_types';
  value: string;
}

export const isTag = (synonym: Synonym): synonym is Tag => 'key' in synonym;

const kinds: Record<string, (name: string) => Synonym> = {
  category: (value) => ({ key: 'categories', value }),
  type: (value) => ({ key: 'all_project_types', value }),
  word: (word) => ({ word }),
};

/** The targets of a row, such as `category:magic, word:map`. */
export const targetsOf = (targets: string): Synonym[] =>
  targets.split(', ').map((target) => {
    const [kind = '', name = ''] = target.split(':');
    const read = kinds[kind];
    if (!read) throw new Error(`A synonym has an unknown kind of target: ${target}`);
    return read(name);
  });

/** The phrases of a row in all languages, as the words of a query. */
export const phrasesOf = (words: Partial<Record<string, string>>): string[] =>
  Object.values(words).flatMap((list = '') => list.split(',').map((phrase) => queryTokens(phrase).join(' ')));

const byPhrase = new Map<string, Synonym[]>();
for (const [targets, words] of synonymRows) {
  const row = targetsOf(targets);
  for (const phrase of phrasesOf(words)) byPhrase.set(phrase, [...(byPhrase.get(phrase) ?? []), ...row]);
}
const max_phrase = Math.max(...[...byPhrase.keys()].map((phrase) => phrase.split(' ').length));

function add(to: Synonym[], synonym: Synonym, text: string | undefined): void {
  if (!to.includes(synonym) && (isTag(synonym) || synonym.word !== text)) to.push(synonym);
}

/**
 * The synonyms of each of the words of a query; those of a phrase belong to each of its words. They are not applied to
 * each other.
 */
export function synonymsOf(texts: readonly string[]): Synonym[][] {
  const found: Synonym[][] = texts.map(() => []);
  for (let from = 0; from < texts.length; from++)
    for (let length = 1; length <= max_phrase && from + length <= texts.length; length++)
      for (const synonym of byPhrase.get(texts.slice(from, from + length).join(' ')) ?? [])
        for (let at = from; at < from + length; at++) add(found[at] as Synonym[], synonym, texts[at]);
  return found;
}
