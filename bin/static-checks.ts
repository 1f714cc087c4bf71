import { type Ran, run } from './run.ts';

export interface Verdict extends Ran {
  name: string;
}

/**
 * Formatting and lint, all types, and unused exports, files and packages: these must pass before any test is
 * meaningful. The type check takes longest and uses one core, so it starts first.
 */
export const staticChecks: Array<() => Promise<Verdict>> = [
  async () => ({
    name: 'format and lint',
    ...(await run('biome', ['check', '--error-on-warnings', '.'], { quiet: true, aside: true })),
  }),
  async () => ({
    name: 'types',
    ...(await run('astro', ['check', '--minimumFailingSeverity', 'error', '--minimumSeverity', 'warning'], {
      quiet: true,
      env: { ASTRO_TELEMETRY_DISABLED: '1' },
    })),
  }),
  async () => ({
    name: 'unused exports and packages',
    ...(await run('knip', ['--no-progress', '--treat-config-hints-as-errors'], { quiet: true, aside: true })),
  }),
];

/** Prints a verdict in one line, and the output when it failed. */
export function printVerdict({ name, code, output, seconds }: Verdict): void {
  if (code !== 0) console.log(output.trim());
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
}
