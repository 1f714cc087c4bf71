/**
 * Loaded before each test file: in a soak run, properties without a number of their own are tried as many times more
 * often as the others, by the seed of the run.
 */
const { SOAK_TIMES, SOAK_SEED } = process.env;
if (SOAK_TIMES) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ numRuns: 100 * Number(SOAK_TIMES), seed: Number(SOAK_SEED) });
}

export {};
