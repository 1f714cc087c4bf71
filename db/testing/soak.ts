import { randomInt } from 'node:crypto';

/** What `npm run soak` sets for the tests of its parts (`bin/soak.ts`); without it a test has its usual size. */

/** The seed that a soak test draws by, printed: `npm run soak -- PART --seed N` repeats it. */
export function soakSeed(): number {
  const seed = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31));
  console.log(`seed ${seed}`);
  return seed;
}

/** How many operations a soak test does; `usual` unless `--operations` says another number. */
export const soakOperations = (usual: number): number => Number(process.env.SOAK_OPERATIONS ?? usual);

/** How many inputs a property is tried with: `usual`, and a multiple of that in the part `properties`. */
export const propertyRuns = (usual: number): number => usual * Number(process.env.SOAK_TIMES ?? 1);

/** How long a property may take that has a limit of its own: as many times longer. */
export const propertyLimit = (usual_ms: number): number => propertyRuns(usual_ms);
