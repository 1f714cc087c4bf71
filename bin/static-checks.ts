import { type Ran, run } from './run.ts';

export interface Verdict extends Ran {
  name: string;
}

/**
 * Formatting and lint, types of everything, and exports, files and packages that nothing uses: what must hold before any
 * test says something. Types take longest and use one core, so they go first.
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

/** One line for a verdict, and what was said when it is bad. */
export function printVerdict({ name, code, output, seconds }: Verdict): void {
  if (code !== 0) console.log(output.trim());
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
}
