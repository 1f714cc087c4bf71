import { writeFileSync } from 'node:fs';
import type { Reporter, Vitest } from 'vitest/node';

/** An error that no test caught, e.g. the rejection of a promise that nobody awaited. */
export interface UnhandledError {
  /** The path of the test file that ran then, if known. */
  path: string | null;
  message: string;
}

/** Where the errors of a run are listed whose report of tests is at `report`. */
export const unhandledErrorsPath = (report: string): string => report.replace(/\.json$/, '-unhandled.json');

/**
 * Lists unhandled errors beside vitest's JSON report, which leaves them out: without this, a run ends with code 1 and
 * nobody knows why.
 */
export default class UnhandledErrorsReporter implements Reporter {
  private report = '';

  onInit({ config: { outputFile } }: Vitest): void {
    this.report = (typeof outputFile === 'string' ? outputFile : outputFile?.json) ?? '';
  }

  onTestRunEnd(
    _modules: unknown,
    errors: ReadonlyArray<{ message?: string; stack?: string; VITEST_TEST_PATH?: unknown }>,
  ): void {
    if (this.report === '') return;
    const listed: UnhandledError[] = errors.map(({ message, stack, VITEST_TEST_PATH: path }) => ({
      path: typeof path === 'string' ? path : null,
      message: stack ?? message ?? 'an error without a message',
    }));
    writeFileSync(unhandledErrorsPath(this.report), JSON.stringify(listed));
  }
}
