/** What the board of nodes says. */
export const boardPrefixes = ['nodes.', 'buying.region_'] as const;
