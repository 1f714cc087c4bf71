import type { Settings } from '../runtime/env.ts';

/** The words of a site's host name: beside those of the product (`password.ts`), nobody should build a password from them. */
export const contextWords = ({ SITE_URL }: Pick<Settings, 'SITE_URL'>): string[] =>
  new URL(SITE_URL).hostname.split('.').filter((label) => label.length > 2);
