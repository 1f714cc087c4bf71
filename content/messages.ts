import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusals } from '#db/platform/errors.ts';
import { Catalogue } from './catalogue.ts';

export type { LanguageRow, Messages, Translate, Values } from './catalogue.ts';
export type { MessageKey } from './keys.ts';

const beside = fileURLToPath(new URL('./locales/', import.meta.url));
/** Next to this file, or below the working folder when a bundler has moved the code. */
const folder = existsSync(beside) ? beside : resolve('content/locales');

/** Whether developer features are on (pseudo-locales, `/dev/ui`): never in production unless PSEUDO_LOCALES=1. */
export const forDevelopers = process.env.PSEUDO_LOCALES === '1' || process.env.NODE_ENV !== 'production';

/** The refusal texts of en-US come from `db/platform/errors.ts`, the only source. */
const catalogue = new Catalogue(folder, {
  given: Object.fromEntries(Object.entries(refusals).map(([code, [, text]]) => [`error.${code}`, text])),
  forDevelopers,
});

/** Every language that this process offers, the default first. */
export const languageRows = catalogue.languageRows;
/** Every key of the catalogue. */
export const messageKeys = catalogue.messageKeys;
/** The texts of one language from its files; an empty text counts as untranslated and falls back to en-US. */
export const textsOf = catalogue.textsOf.bind(catalogue);
/** The text as the catalogue writes it, an ICU message; that of en-US where `locale` has none. */
export const messageText = catalogue.messageText.bind(catalogue);
/** What `locale` displays in English, because it has no text of its own for it. */
export const englishTexts = catalogue.englishTexts.bind(catalogue);
/** The texts of a language for pages, mails and documents. */
export const messages = catalogue.messages.bind(catalogue);
