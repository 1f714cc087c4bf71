import { languageOf } from '../text/languages.ts';

/** Whether a text in `written` is in another language than a page in `locale`; regions do not count. */
export const isForeign = (locale: string, written: string): boolean =>
  new Intl.Locale(locale).language !== new Intl.Locale(written).language;

/** The attributes of an element whose text is not in the language of its page; none when it is. */
export const languageMarks = (locale: string, written = 'en-US'): { lang?: string; dir?: 'ltr' | 'rtl' } =>
  locale === written ? {} : { lang: written, dir: languageOf(written)?.dir ?? 'ltr' };
