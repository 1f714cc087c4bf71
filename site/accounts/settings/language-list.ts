import type { Messages } from '#content/messages.ts';
import type { Language } from '../../platform/text/languages.ts';

/** An option of the language list. `tag` is empty for the browser's preference. */
export interface LanguageChoice {
  tag: string;
  dir: 'ltr' | 'rtl';
  /** Its own name. */
  name: string;
  /** Its name in the language of the page, if different. */
  translated: string;
  /** The folded text that the search box matches. */
  search_text: string;
}

export const languageGroups = ['standard', 'fun', 'experimental'] as const;

/** `text` folded for comparison: lower case, without accents. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').trim();

/** Whether every word of the query is found in `search_text` (folded). */
export const isFound = (typed: string, search_text: string): boolean =>
  folded(typed)
    .split(/\s+/)
    .every((word) => search_text.includes(word));

/** The languages of one group, sorted by their own names, with translations for readers of `messages`. */
export function choicesOf(
  { formatting }: Messages,
  languages: readonly Language[],
  group: Language['group'],
): LanguageChoice[] {
  const names = new Intl.DisplayNames(formatting, {
    type: 'language',
    languageDisplay: 'standard',
    fallback: 'none',
  });
  return languages
    .filter((language) => language.group === group)
    .map(({ tag, name, dir, search, iso = '' }) => {
      const known = group === 'standard' ? (names.of(tag) ?? '') : '';
      return {
        tag,
        dir,
        name,
        translated: known === name ? '' : known,
        search_text: folded([tag, name, known, search, iso].join(' ')),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name, formatting));
}
