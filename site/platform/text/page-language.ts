import type { Messages } from '#content/messages.ts';

const { lang: locale, dataset } = document.documentElement;

/** The page's language for the formats of `format.ts` that use no messages; in browsers only. */
export const pageLanguage: Messages = {
  locale,
  formatting: dataset.formatting ?? locale,
  t: (key: string) => key,
};
