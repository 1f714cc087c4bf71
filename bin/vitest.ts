import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './install.mjs';
import { type RunOptions, run } from './run.ts';
import {
  type Failure,
  type FileTime,
  type Outcome,
  type SecondTries,
  secondTries,
  withExitCode,
} from './test-outcome.ts';
import { type UnhandledError, unhandledErrorsPath } from './unhandled-errors-reporter.ts';

/** The relevant part of vitest's JSON report. */
export interface Report {
  testResults: Array<{
    name: string;
    status: string;
    message: string;
    startTime?: number;
    endTime?: number;
    assertionResults: Array<{ status: string; fullName: string; failureMessages: string[] | null }>;
  }>;
}
type File = Report['testResults'][number];

interface VitestOptions {
  tries?: SecondTries;
  /** Of its report. */
  name?: string;
  /** More arguments, such as files. */
  more?: readonly string[];
  child?: Pick<RunOptions, 'env' | 'timeout_ms' | 'onTimeout'>;
}

/**
 * Runs projects of vitest. Failed tests are run once more with their files, one after the other, as long as `tries`
 * allows: what passes then counts as passed and is listed separately; what fails twice has failed.
 */
export async function vitest(
  reports: string,
  projects: readonly string[],
  { tries = secondTries(), name = projects.join('-'), more = [], child }: VitestOptions = {},
): Promise<Outcome> {
  const first = await once(join(reports, `${name}.json`), projects, more, child);
  const outcome = outcomeOf(first.report?.testResults ?? null);
  if (!first.report || !tries.take(outcome.failed.length))
    return withExitCode(`vitest ${name}`, first.code, outcome);
  const paths = first.report.testResults.filter(hasFailed).map((file) => relative(root, file.name));
  const second = await once(join(reports, `${name}-again.json`), projects, [
    '--no-file-parallelism',
    '--isolate', // what an earlier file left in its process is no fault of these
    ...paths,
  ]);
  return mergeRerun(first.report, second);
}

/** The combined outcome: files that ran twice count with their second result. */
export function mergeRerun(first: Report, second: { code: number; report: Report | null }): Outcome {
  const fine = outcomeOf(first.testResults.filter((file) => !hasFailed(file)));
  const was = outcomeOf(first.testResults.filter(hasFailed));
  const is = withExitCode('vitest, again', second.code, outcomeOf(second.report?.testResults ?? null));
  const still = new Set(is.failed.map(({ name }) => name));
  return {
    passed: fine.passed + is.passed,
    failed: is.failed,
    again: was.failed.filter(({ name }) => !still.has(name)),
    files: outcomeOf(first.testResults).files,
  };
}

const hasFailed = ({ status, assertionResults }: File): boolean =>
  status === 'failed' || assertionResults.some((test) => test.status === 'failed');

/** A file that failed without a failed test (an import, a hook) counts as one. */
export function outcomeOf(files: readonly File[] | null): Outcome {
  if (!files)
    return { passed: 0, failed: [{ name: 'vitest', why: 'it left no report' }], again: [], files: [] };
  const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ file, test })));
  const failed = tests.filter(({ test }) => test.status === 'failed');
  const broken = files.filter(
    (file) => hasFailed(file) && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  return {
    passed: tests.filter(({ test }) => test.status === 'passed').length,
    failed: [
      ...failed.map(({ file, test }) =>
        failure(file, test.fullName, (test.failureMessages ?? []).join('\n')),
      ),
      ...broken.map((file) => failure(file, '(the file)', file.message)),
    ],
    again: [],
    files: files.map(timeOf),
  };
}

const timeOf = ({ name, startTime = 0, endTime = 0 }: File): FileTime => ({
  path: relative(root, name),
  seconds: (endTime - startTime) / 1000,
});

const failure = (file: File, test: string, why: string): Failure => ({
  name: `${relative(root, file.name)} > ${test}`,
  why,
});

async function once(
  path: string,
  projects: readonly string[],
  more: readonly string[],
  options: RunOptions = {},
) {
  const args = [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(root, 'bin/unhandled-errors-reporter.ts')}`,
    `--outputFile.json=${path}`,
    ...more,
  ];
  const { code } = await run('vitest', args, options);
  const report = readJson<Report>(path);
  const errors = readJson<UnhandledError[]>(unhandledErrorsPath(path)) ?? [];
  return { code, report: report && withUnhandledErrors(report, errors) };
}

/** A file during which an error was not caught has failed, whatever its tests say; its message is that error. */
export function withUnhandledErrors(report: Report, errors: readonly UnhandledError[]): Report {
  const of = (name: string) => errors.filter(({ path }) => path === name);
  const known = new Set(report.testResults.map(({ name }) => name));
  const elsewhere = errors.filter(({ path }) => path === null || !known.has(path));
  return {
    testResults: [
      ...report.testResults.map((file) => {
        const [error] = of(file.name);
        return error ? { ...file, status: 'failed', message: error.message } : file;
      }),
      ...elsewhere.map(({ path, message }) => ({
        name: path ?? join(root, 'an unknown file'),
        status: 'failed',
        message,
        assertionResults: [],
      })),
    ],
  };
}

function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}
