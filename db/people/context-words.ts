import type { Settings } from '../runtime/env.ts';

/**
 * Words that guessers of passwords try first on a site like this one; zxcvbn counts them as guessed, like the user's own
 * names. The site's host name belongs to them.
 */
const words = ['cairn', 'minecraft', 'modpack', 'modpacks', 'modding', 'shader', 'launcher', 'server'];

/** These words with those of the host name of the site. */
export const contextWords = ({ SITE_URL }: Pick<Settings, 'SITE_URL'>): string[] => [
  ...words,
  ...new URL(SITE_URL).hostname.split('.').filter((label) => label.length > 2),
];

/** The words of every site: for commands and seeds. */
export const commonContextWords: readonly string[] = words;
