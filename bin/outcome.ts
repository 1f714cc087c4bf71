/** A test, or a program that ran tests, and why it failed. */
export interface Failure {
  name: string;
  why: string;
}

/** What one step of `npm test` came to. */
export interface Outcome {
  passed: number;
  failed: Failure[];
  /** What failed beside everything else and passed when it ran again by itself. */
  again: Failure[];
}

export const none: Outcome = { passed: 0, failed: [], again: [] };

export const sum = (all: readonly Outcome[]): Outcome => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.flatMap(({ failed }) => failed),
  again: all.flatMap(({ again }) => again),
});

/** A program that ended badly while all its tests passed has failed all the same. */
export function honest(name: string, code: number, outcome: Outcome): Outcome {
  if (code === 0 || outcome.failed.length > 0) return outcome;
  return { ...outcome, failed: [{ name, why: `it ended with code ${code} although its tests passed` }] };
}

/**
 * The end of `npm test`: what failed is said once more, since its place is far above, then what passed only by itself,
 * and in the last line `N passed, N failed`.
 */
export function lastLines({ passed, failed, again }: Outcome): string[] {
  const tell = (title: string, list: readonly Failure[]) =>
    list.flatMap(({ name, why }) => [`${title}: ${name}`, ...beginning(why).map((line) => `    ${line}`)]);
  return [
    ...tell('passed only when run again', again),
    ...tell('failed', failed),
    `${passed} passed, ${failed.length} failed`,
  ];
}

const shown = 12;
const beginning = (text: string): string[] => text.trim().split('\n').slice(0, shown);
