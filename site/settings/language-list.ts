import type { Messages } from '#content/messages.ts';
import type { Language } from '../text/languages.ts';

/** One language to choose. `tag` is empty for what the browser prefers. */
export interface LanguageChoice {
  tag: string;
  dir: 'ltr' | 'rtl';
  /** Its name for itself. */
  name: string;
  /** Its name in the language of the page, where it has one that says more. */
  translated: string;
  /** What the search box looks in, folded. */
  search_text: string;
}

export const languageGroups = ['standard', 'fun', 'experimental'] as const;

/** `text` as the search box compares it: lower case, without accents. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').trim();

/** Whether every word of what was typed is found in `words` (folded). */
export const isFound = (typed: string, search_text: string): boolean =>
  folded(typed)
    .split(/\s+/)
    .every((word) => search_text.includes(word));

/** The languages of one group for people who read `messages`, by their own names. */
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
    .map(({ tag, name, dir, search }) => {
      const known = group === 'standard' ? (names.of(tag) ?? '') : '';
      return {
        tag,
        dir,
        name,
        translated: known === name ? '' : known,
        search_text: folded([tag, name, known, search].join(' ')),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name, formatting));
}
