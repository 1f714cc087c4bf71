const max_length = 64;

/**
 * The address that follows from a project's name, while nobody wrote one by hand: lower case, hyphens for spaces, accents
 * dropped, and nothing that an address may not have. Empty for names without any such letter. It runs in browsers too.
 * Source: screens §A.1.
 */
export const slugFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s-]+/g, '-')
    .replace(/[^a-z0-9._-]/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
    .slice(0, max_length)
    .replace(/(?<![-.])[-.]+$/, '');
