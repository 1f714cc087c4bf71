import { languageOf } from '../text/languages.ts';

/** Attributes of English text on a page in the language `locale`; none on a page in English. */
export const englishOn = (locale: string): { lang?: string; dir?: 'ltr' | 'rtl' } =>
  new Intl.Locale(languageOf(locale)?.formatting ?? locale).language === 'en'
    ? {}
    : { lang: 'en-US', dir: 'ltr' };
