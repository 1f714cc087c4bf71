import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from './chromium.ts';
import { type Failure, honest, type Outcome } from './outcome.ts';
import { run } from './run.ts';

interface Suite {
  file: string;
  specs: Array<{
    title: string;
    tests: Array<{ status: string; results: Array<{ error?: { message?: string } }> }>;
  }>;
  suites?: Suite[];
}
export interface Report {
  stats: { expected: number; flaky: number; unexpected: number };
  suites: Suite[];
  errors: Array<{ message?: string }>;
}

/** Runs the browser tests; one that failed runs once more, as those of vitest do. */
export async function browser(reports: string): Promise<Outcome> {
  const path = join(reports, 'browser.json');
  const executable = await chromium();
  const { code } = await run('playwright', ['test', '--retries=1', '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: path, ...(executable ? { CHROMIUM: executable } : {}) },
  });
  try {
    return honest('browser', code, outcomeOf(JSON.parse(readFileSync(path, 'utf8')) as Report));
  } catch {
    return { passed: 0, failed: [{ name: 'browser', why: 'it left no report' }], again: [] };
  }
}

export function outcomeOf({ stats, suites, errors }: Report): Outcome {
  const all = suites.flatMap(inside);
  const those = (status: string): Failure[] =>
    all
      .filter(({ test }) => test.status === status)
      .map(({ name, test }) => ({
        name,
        why: test.results.find(({ error }) => error)?.error?.message ?? '',
      }));
  const broken = errors.map(({ message }) => ({ name: 'browser', why: message ?? '' }));
  return {
    passed: stats.expected + stats.flaky,
    failed: [...those('unexpected'), ...broken],
    again: those('flaky'),
  };
}

function inside(suite: Suite): Array<{ name: string; test: Suite['specs'][number]['tests'][number] }> {
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map((test) => ({ name: `${suite.file} > ${title}`, test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(inside)];
}
