import type { LanguageRow } from '#content/messages.ts';

type Source = Pick<LanguageRow, 'tag' | 'base' | 'replace'>;

/** The language in which a text for readers of `row` is written: their own, that of their base, or en-US. */
export const writtenLanguage = ({ tag, base }: Source, has: (tag: string) => boolean): string =>
  [tag, base].find((one) => one !== undefined && has(one)) ?? 'en-US';

/** `text` of the base language with the letters of a regional variant, such as ss for ß in Switzerland. */
export function inVariant(text: string, { tag, replace = {} }: Source, written: string): string {
  if (written === tag || written === 'en-US') return text;
  return [...text].map((letter) => replace[letter] ?? letter).join('');
}
