import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';
import { type Ran, run } from './run.ts';
import { translationFiles, translationReport } from './translation-report.ts';
import { checkTypes } from './type-check.ts';

export interface Verdict extends Ran {
  name: string;
  /** Lines that are worth reading although nothing failed. */
  notes?: readonly string[];
}
export type Step = () => Promise<Verdict>;

/** Format and lint of all files, or of those of `paths` that still exist and that biome knows. */
export async function lint(paths: readonly string[] = ['.']): Promise<Verdict> {
  const existing = paths.filter((path) => existsSync(join(root, path)));
  const args = ['check', '--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];
  return {
    name: 'format and lint',
    ...(existing.length === 0
      ? { code: 0, output: '', seconds: 0 }
      : await run('biome', [...args, ...existing], { quiet: true, aside: true })),
  };
}

/** Types; `fresh`: also of what was checked before. */
export const types = async (options: { fresh?: boolean } = {}): Promise<Verdict> => ({
  name: 'types',
  ...(await checkTypes(options)),
});

export const unusedCode: Step = async () => ({
  name: 'unused exports and packages',
  ...(await run('knip', ['--no-progress', '--treat-config-hints-as-errors'], { quiet: true, aside: true })),
});

/** A translation may lack or be outdated, but not fit another text; this counts the former and refuses the latter. */
export const translations: Step = async () => {
  const began = Date.now();
  const { problems, behind } = translationReport(translationFiles());
  const output = [...problems, 'To clean this up, run: node bin/translations.mjs clean'].join('\n');
  const seconds = (Date.now() - began) / 1000;
  return { name: 'translations', code: problems.length > 0 ? 1 : 0, output, seconds, notes: behind };
};

/** What must pass before any test is meaningful; types take longest, so they start first. */
export const staticChecks: readonly Step[] = [
  () => types({ fresh: true }),
  () => lint(),
  unusedCode,
  translations,
];

/** Prints a verdict in one line with its notes, and the output when it failed. */
export function printVerdict({ name, code, output, seconds, notes = [] }: Verdict): void {
  if (code !== 0) console.log(output.trim());
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds.toFixed(1)} s)`);
  for (const note of notes) console.log(`      ${note}`);
}
