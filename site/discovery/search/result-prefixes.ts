/** What the islands of a search screen say besides what their view says in finished words. */
export const resultPrefixes = ['results.', 'pager.'] as const;
