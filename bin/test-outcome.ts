/** A test, or a program that ran tests, and why it failed. */
export interface Failure {
  name: string;
  why: string;
}

/** How long the tests of one file took. */
export interface FileTime {
  path: string;
  seconds: number;
}

/** The outcome of one step of `npm test`. */
export interface Outcome {
  passed: number;
  failed: Failure[];
  /** Tests that failed first and passed alone. */
  again: Failure[];
  files: FileTime[];
}

export const none: Outcome = { passed: 0, failed: [], again: [], files: [] };

export const sum = (all: readonly Outcome[]): Outcome => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.flatMap(({ failed }) => failed),
  again: all.flatMap(({ again }) => again),
  files: all.flatMap(({ files }) => files),
});

/** A non-zero exit code counts as a failure even if all tests passed. */
export function withExitCode(name: string, code: number, outcome: Outcome): Outcome {
  if (code === 0 || outcome.failed.length > 0) return outcome;
  return { ...outcome, failed: [{ name, why: `it ended with code ${code} although its tests passed` }] };
}

/** How many tests of one `npm test` may run a second time, in all steps together. */
export interface SecondTries {
  /** Whether this many failed tests may run again; if so, they are deducted from the rest. */
  take(failed: number): boolean;
}

/**
 * Up to five failed tests of the 9,000 may be caused by load on the machine; more are a fault. A step with more failures
 * than are left gets no second try at all.
 */
export function secondTries(max = 5): SecondTries {
  let left = max;
  return {
    take(failed) {
      if (failed === 0 || failed > left) return false;
      left -= failed;
      return true;
    },
  };
}

/**
 * The end of `npm test`: the ten slowest files, the failures once more, since their output is far above, what passed on
 * the second try with its number, and in the last line `N passed, N failed`.
 */
export function lastLines({ passed, failed, again, files }: Outcome): string[] {
  const list = (title: string, failures: readonly Failure[]) =>
    failures.flatMap(({ name, why }) => [
      `${title}: ${name}`,
      ...beginning(why).map((line) => `    ${line}`),
    ]);
  return [
    ...slowest(files),
    ...list('passed only on the second try', again),
    ...list('failed', failed),
    `${again.length} passed only on the second try`,
    `${passed} passed, ${failed.length} failed`,
  ];
}

function slowest(files: readonly FileTime[]): string[] {
  if (files.length === 0) return [];
  const sorted = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  return [
    'slowest files:',
    ...sorted.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${path}`),
  ];
}

const max_lines = 12;
const beginning = (text: string): string[] => text.trim().split('\n').slice(0, max_lines);
