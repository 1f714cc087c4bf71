/** What the screens of analytics say, and how they write numbers. */
export const analyticsPrefixes = [
  'analytics.',
  'format.thousands',
  'format.millions',
  'format.compact_',
] as const;
