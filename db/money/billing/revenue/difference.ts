/** Two sums that should be one: what the ledger has, and what the tables say that it is about. In minor units. */
export interface Difference {
  what: string;
  ledger: string;
  expected: string;
}

/** Differences that one comparison lists. */
export const max_differences = 1_000;
