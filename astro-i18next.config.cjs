const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, 'content/locales');
/** As in content/messages.ts: the languages made for tests exist only where PSEUDO_LOCALES or development asks for them. */
const forDevelopers = process.env.PSEUDO_LOCALES === '1' || process.env.NODE_ENV !== 'production';
const languages = require('./content/locales/languages.json').filter((row) =>
  row.pseudo ? forDevelopers : row.enabled,
);

/**
 * Must be CommonJS under exactly this name, else the integration ignores it in silence. It is used for localized paths
 * (`localizePath`, `detectLocaleFromPath`, always with the locale); texts come from content/messages.ts, because the
 * shared i18next instance has one language for all requests. Source: stack.md §4.
 */
module.exports = {
  defaultLocale: 'en-US',
  locales: languages.map(({ tag }) => tag),
  namespaces: readdirSync(join(folder, 'en-US')).map((name) => name.replace('.json', '')),
  defaultNamespace: 'shell',
  load: ['server'],
  i18nextServer: {
    initAsync: false,
    preload: ['en-US'],
    fallbackLng: 'en-US',
    keySeparator: false,
    nsSeparator: false,
    backend: { loadPath: './content/locales/{{lng}}/{{ns}}.json' },
  },
};
