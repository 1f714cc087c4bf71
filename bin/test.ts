import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';
import { chromium } from './chromium.ts';
import { gate, tell } from './gate.ts';
import { root } from './install.mjs';
import { run } from './run.ts';

/**
 * `npm test`: everything, in the order that tells soonest what is wrong. Ends with one line `N passed, N failed`; a
 * program that fails without a failed test counts as one failure, so the line can never be better than the truth.
 * Source: stack §10.
 */
interface Count {
  passed: number;
  failed: number;
}

const reports = join(root, '.tmp/reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const total: Count = { passed: 0, failed: 0 };
const add = ({ passed, failed }: Count) => {
  total.passed += passed;
  total.failed += failed;
};
const one = (fine: boolean): Count => ({ passed: fine ? 1 : 0, failed: fine ? 0 : 1 });

for (const step of gate) {
  const verdict = await step();
  tell(verdict);
  add(one(verdict.code === 0));
}
add(await tests('unit', 'record'));
add(await built());
add(await browser());
add(await tests('start'));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function built(): Promise<Count> {
  try {
    await build(new AbortController().signal, console.log);
    return one(true);
  } catch (error) {
    console.log((error as Error).message);
    return one(false);
  }
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: Array<{ status: string; assertionResults: Array<{ status: string }> }>;
}

/** Runs vitest projects. A file that failed without a failed test (an import, a hook) counts as one. */
async function tests(...projects: string[]): Promise<Count> {
  const path = join(reports, `${projects.join('-')}.json`);
  const { code } = await run('vitest', [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
  ]);
  const report = read<VitestReport>(path);
  if (!report) return one(false);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return honest(code, { passed: report.numPassedTests, failed: report.numFailedTests + broken });
}

interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number };
}

async function browser(): Promise<Count> {
  if (!existsSync(join(root, 'playwright.config.ts'))) return { passed: 0, failed: 0 };
  const path = join(reports, 'browser.json');
  const executable = await chromium();
  const { code } = await run('playwright', ['test', '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: path, ...(executable ? { CHROMIUM: executable } : {}) },
  });
  const stats = read<PlaywrightReport>(path)?.stats;
  if (!stats) return one(false);
  return honest(code, { passed: stats.expected + stats.flaky, failed: stats.unexpected });
}

/** A program that ended badly while all its tests passed has failed all the same. */
function honest(code: number, count: Count): Count {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

function read<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}
