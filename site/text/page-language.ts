import type { Messages } from '#content/messages.ts';

const { lang: locale, dataset } = document.documentElement;

/** The language of the page for the formats of `format.ts` that use no texts; in browsers only. */
export const pageLanguage: Messages = {
  locale,
  formatting: dataset.formatting ?? locale,
  t: (key: string) => key,
};
