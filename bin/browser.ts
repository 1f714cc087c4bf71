import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';
import { none, type Outcome, type SecondTries, withExitCode } from './test-outcome.ts';

interface Suite {
  file: string;
  specs: Array<{
    title: string;
    tests: Array<{ status: string; results: Result[] }>;
  }>;
  suites?: Suite[];
}
interface Result {
  duration?: number;
  error?: { message?: string };
  attachments?: Array<{ name: string; path?: string }>;
}
export interface Report {
  stats: { expected: number; unexpected: number };
  suites: Suite[];
  errors: Array<{ message?: string }>;
}

/**
 * Runs the browser tests in the browser at `executable`, or in Playwright's own; failed ones are run once more, as with vitest.
 */
export async function browser(
  reports: string,
  executable: string | null,
  tries: SecondTries,
): Promise<Outcome> {
  const first = await once(join(reports, 'browser.json'), executable, []);
  if (!first.outcome || !tries.take(first.outcome.failed.length)) return finished(first);
  const again = finished(
    await once(join(reports, 'browser-again.json'), executable, [
      '--last-failed',
      '--trace=retain-on-failure',
    ]),
  );
  return mergeBrowserRerun(first.outcome, again);
}

interface Ran {
  code: number;
  outcome: Outcome | null;
}

/** The combined outcome: tests that ran twice count with their second result. */
export function mergeBrowserRerun(first: Outcome, second: Outcome): Outcome {
  const still = new Set(second.failed.map(({ name }) => name));
  return {
    passed: first.passed + second.passed,
    failed: second.failed,
    again: first.failed.filter(({ name }) => !still.has(name)),
    files: first.files,
  };
}

const finished = ({ code, outcome }: Ran): Outcome =>
  outcome
    ? withExitCode('browser', code, outcome)
    : { ...none, failed: [{ name: 'browser', why: 'it left no report' }] };

async function once(path: string, executable: string | null, more: string[]): Promise<Ran> {
  const { code } = await run('playwright', ['test', '--retries=0', '--reporter=list,json', ...more], {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: path, ...(executable ? { CHROMIUM: executable } : {}) },
  });
  try {
    return { code, outcome: outcomeOf(JSON.parse(readFileSync(path, 'utf8')) as Report) };
  } catch {
    return { code, outcome: null };
  }
}

export function outcomeOf({ stats, suites, errors }: Report): Outcome {
  const failed = suites
    .flatMap(inside)
    .filter(({ test }) => test.status === 'unexpected')
    .map(({ name, test }) => ({
      name,
      why: whyOf(test.results.find(({ error }) => error)),
    }));
  const broken = errors.map(({ message }) => ({ name: 'browser', why: message ?? '' }));
  return {
    passed: stats.expected,
    failed: [...failed, ...broken],
    again: [],
    files: suites.map((suite) => ({ path: `e2e/${suite.file}`, seconds: secondsOf(suite) })),
  };
}

/** Characters of a page that a failure shows. */
const most_shown = 4_000;

/** The message of a failure, and what the page showed then: what a second try passed leaves no other trace. */
function whyOf(failed: Result | undefined): string {
  const path = failed?.attachments?.find(({ name }) => name === 'error-context')?.path;
  const shown = path && existsSync(path) ? readFileSync(path, 'utf8') : '';
  const page = /```yaml\n([\s\S]*?)\n```/.exec(shown)?.[1] ?? '';
  return [failed?.error?.message ?? '', page.slice(0, most_shown)].filter(Boolean).join('\n');
}

const secondsOf = (suite: Suite): number =>
  inside(suite)
    .flatMap(({ test }) => test.results)
    .reduce((total, { duration = 0 }) => total + duration / 1000, 0);

function inside(suite: Suite): Array<{ name: string; test: Suite['specs'][number]['tests'][number] }> {
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map((test) => ({ name: `${suite.file} > ${title}`, test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(inside)];
}
