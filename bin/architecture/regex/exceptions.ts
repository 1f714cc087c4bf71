/**
 * Files whose patterns may take more than linear time, because nobody outside writes what they read. Prefer to bound the
 * repeat: an entry here is for texts of the product, never for input that is only said to be short.
 */
export const ownTexts: Readonly<Record<string, string>> = {
  'content/mark-english.ts': 'reads pages that the product renders: every tag is closed, and texts have no <',
  'content/pseudo.ts': 'changes messages of the product for tests',
  'db/demo/releases.ts': 'reads the changelogs of the demo',
  'db/catalogue/tags/icons.ts': 'reads drawings of a package',
  'site/discovery/changelog/entry-text.ts': 'reads the changelog of the product',
  'site/discovery/docs/fold-tables.ts': 'reads the handbooks, when the site is built',
  'site/discovery/docs/reference/rich-text.ts': 'reads descriptions of the API, when the site is built',
  'site/discovery/docs/search/sections.ts': 'reads the handbooks, when the site is built',
  'site/platform/legal/legal-html.ts': 'reads the legal texts, when the site is built',
  'site/discovery/news/arrange.ts': 'reads the news of the product',
  'site/platform/static-pages/tokens.ts': 'reads pages of the product, when the site starts',
  'site/platform/ui/Icon.tsx': 'reads drawings of a package',
};

/** Files that build patterns, and why nobody outside decides what they look for. */
export const builtPatterns: Readonly<Record<string, string>> = {
  'db/discovery/analytics/sources.ts': 'the words of a package',
  'db/catalogue/checklist/project-name/rules.ts': 'words of that file',
  'db/hosting/servers/crashes/data/causes.ts': 'words of that file; each result is judged',
  'db/hosting/servers/files/rules.ts': 'two sets of signs of that file',
  'db/hosting/servers/logs/read.ts': 'a number of that file',
  'db/hosting/servers/startup/rules.ts': 'the flags of that file, with their signs escaped',
  'db/accounts/sign-in/backup-codes.ts': 'an alphabet and a number of that file',
  'site/discovery/docs/search/engine.ts': 'words of a search, which hold letters and digits only',
};
