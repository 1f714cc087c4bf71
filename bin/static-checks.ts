import { type Ran, run } from './run.ts';
import { translationFiles, translationReport } from './translation-report.ts';

export interface Verdict extends Ran {
  name: string;
  /** Lines that are worth reading although nothing failed. */
  notes?: readonly string[];
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
  translations,
];

/** A translation may lack or be outdated, but not fit another text; this counts the former and refuses the latter. */
async function translations(): Promise<Verdict> {
  const began = Date.now();
  const { problems, behind } = translationReport(translationFiles());
  const output = [...problems, 'To clean this up, run: node bin/translations.mjs clean'].join('\n');
  const seconds = (Date.now() - began) / 1000;
  return { name: 'translations', code: problems.length > 0 ? 1 : 0, output, seconds, notes: behind };
}

/** Prints a verdict in one line with its notes, and the output when it failed. */
export function printVerdict({ name, code, output, seconds, notes = [] }: Verdict): void {
  if (code !== 0) console.log(output.trim());
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
  for (const note of notes) console.log(`      ${note}`);
}
