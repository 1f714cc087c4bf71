import type { Outcome } from '../test-outcome.ts';
import type { SoakChoice } from './choice.ts';
import type { SoakPart } from './parts.ts';

/** What came of a part. */
export interface PartOutcome {
  part: SoakPart;
  outcome: Outcome;
  minutes: number;
}

/** The line after a part; one that failed is repeated by the same seed and the same number. */
export function partLine(
  { part: { name, counts }, outcome: { passed, failed }, minutes }: PartOutcome,
  { seed, operations }: Pick<SoakChoice, 'seed' | 'operations'>,
): string {
  const size = counts && operations !== null ? ` --operations ${operations}` : '';
  const repeat = failed.length > 0 ? `; to repeat: npm run soak -- ${name} --seed ${seed}${size}` : '';
  return `soak ${name}: ${passed} passed, ${failed.length} failed in ${minutes.toFixed(1)} min${repeat}`;
}

/** The last line: how many parts passed and failed, and which failed. */
export function verdict(outcomes: readonly PartOutcome[]): string {
  const failed = outcomes.filter(({ outcome }) => outcome.failed.length > 0).map(({ part }) => part.name);
  const names = failed.length > 0 ? `: ${failed.join(', ')}` : '';
  return `soak parts: ${outcomes.length - failed.length} passed, ${failed.length} failed${names}`;
}
