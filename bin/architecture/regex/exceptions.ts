/**
 * Files whose patterns may take more than linear time, because nobody outside writes what they read. Prefer to bound the
 * repeat: an entry here is for texts of the product, never for input that is only said to be short.
 */
export const ownTexts: Readonly<Record<string, string>> = {
  'content/mark-english.ts': 'reads pages that the product renders: every tag is closed, and texts have no <',
  'content/pseudo.ts': 'changes messages of the product for tests',
  'db/demo/releases.ts': 'reads the changelogs of the demo',
  'db/tags/icons.ts': 'reads drawings of a package',
  'site/changelog/entry-text.ts': 'reads the changelog of the product',
  'site/docs/fold-tables.ts': 'reads the handbooks, when the site is built',
  'site/docs/reference/rich-text.ts': 'reads descriptions of the API, when the site is built',
  'site/docs/search/sections.ts': 'reads the handbooks, when the site is built',
  'site/legal/legal-html.ts': 'reads the legal texts, when the site is built',
  'site/news/arrange.ts': 'reads the news of the product',
  'site/static-pages/tokens.ts': 'reads pages of the product, when the site starts',
  'site/ui/Icon.tsx': 'reads drawings of a package',
};

/** Files that build patterns, and why nobody outside decides what they look for. */
export const builtPatterns: Readonly<Record<string, string>> = {
  'db/analytics/sources.ts': 'the words of a package',
  'db/checklist/project-name/rules.ts': 'words of that file',
  'db/servers/crashes/data/causes.ts': 'words of that file; each result is judged',
  'db/servers/files/rules.ts': 'two sets of signs of that file',
  'db/servers/logs/read.ts': 'a number of that file',
  'db/servers/startup/rules.ts': 'the flags of that file, with their signs escaped',
  'db/sign-in/backup-codes.ts': 'an alphabet and a number of that file',
  'site/docs/search/engine.ts': 'words of a search, which hold letters and digits only',
};
