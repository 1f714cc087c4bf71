/** What the chart of revenue says, and how it writes money. */
export const revenuePrefixes = [
  'revenue.line',
  'revenue.table',
  'analytics.',
  'format.thousands',
  'format.millions',
] as const;
