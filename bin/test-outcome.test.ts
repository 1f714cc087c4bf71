import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeBrowserRerun, outcomeOf as ofBrowser } from './browser.ts';
import { root } from './install.mjs';
import { lastLines, none, type Outcome, secondTries, sum, withExitCode } from './test-outcome.ts';
import { mergeRerun, outcomeOf, type Report, withUnhandledErrors } from './vitest.ts';

const file = (name: string, ...tests: Array<[string, string]>): Report['testResults'][number] => ({
  name: join(root, name),
  status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: tests.map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? [`${fullName} is wrong`] : [],
  })),
});
/** The lines without the slowest files. */
const ending = (outcome: Outcome): string[] => lastLines({ ...outcome, files: [] });
const first: Report = {
  testResults: [
    file('a.test.ts', ['one', 'passed'], ['two', 'passed']),
    file('b.test.ts', ['three', 'passed'], ['four', 'failed']),
  ],
};

test('a test that passes on its second run counts as passed and is named', () => {
  const again = {
    code: 0,
    report: { testResults: [file('b.test.ts', ['three', 'passed'], ['four', 'passed'])] },
  };
  expect(ending(mergeRerun(first, again))).toEqual([
    'passed only on the second try: b.test.ts > four',
    '    four is wrong',
    '1 passed only on the second try',
    '4 passed, 0 failed',
  ]);
});

test('what fails twice has failed, and so has a new failure of the second run', () => {
  const again = (...tests: Array<[string, string]>) => ({
    code: 1,
    report: { testResults: [file('b.test.ts', ...tests)] },
  });
  const twice = mergeRerun(first, again(['three', 'passed'], ['four', 'failed']));
  expect(ending(twice)).toEqual([
    'failed: b.test.ts > four',
    '    four is wrong',
    '0 passed only on the second try',
    '3 passed, 1 failed',
  ]);
  const other = mergeRerun(first, again(['three', 'failed'], ['four', 'passed']));
  expect(other.failed.map(({ name }) => name)).toEqual(['b.test.ts > three']);
});

test('a second run without a report, or with a bad exit code, has failed', () => {
  expect(mergeRerun(first, { code: 1, report: null }).failed).toHaveLength(1);
  const fine = { testResults: [file('b.test.ts', ['four', 'passed'])] };
  expect(mergeRerun(first, { code: 1, report: fine }).failed).toHaveLength(1);
});

test('an unreadable report counts as one failure', () => {
  const broken = { ...file('c.test.ts'), status: 'failed', message: 'no such module' };
  expect(outcomeOf([broken]).failed).toEqual([{ name: 'c.test.ts > (the file)', why: 'no such module' }]);
});

test('a non-zero exit code counts as a failure even if all tests passed', () => {
  expect(withExitCode('browser', 1, { ...none, passed: 3 }).failed).toHaveLength(1);
  expect(sum([{ ...none, passed: 2 }, none])).toEqual({ ...none, passed: 2 });
});

test('at most five tests of a run get a second try, and none when more failed', () => {
  const tries = secondTries();
  expect([tries.take(0), tries.take(6), tries.take(4), tries.take(2), tries.take(1), tries.take(1)]).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ]);
});

test('the ten slowest files are listed, the slowest first', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ path: `${at}.test.ts`, seconds: at }));
  const lines = lastLines({ ...none, files });
  expect(lines.slice(0, 3)).toEqual(['slowest files:', '    11.0 s  11.test.ts', '    10.0 s  10.test.ts']);
  expect(lines).toHaveLength(1 + 10 + 2);
  const timed = { ...file('a.test.ts', ['one', 'passed']), startTime: 1_000, endTime: 3_500 };
  expect(outcomeOf([timed]).files).toEqual([{ path: 'a.test.ts', seconds: 2.5 }]);
});

test('browser tests that ran twice count with their second result', () => {
  const spec = (title: string, status: string) => ({
    title,
    tests: [{ status, results: [{ duration: 500, error: { message: `${title}?` } }] }],
  });
  const run = (...specs: Array<ReturnType<typeof spec>>) =>
    ofBrowser({
      stats: { expected: 1, unexpected: specs.length },
      suites: [{ file: 'x.e2e.ts', specs, suites: [{ file: 'x.e2e.ts', specs: [] }] }],
      errors: [],
    });
  const once = run(spec('slow', 'unexpected'), spec('bad', 'unexpected'));
  expect(once).toMatchObject({ passed: 1, files: [{ path: 'e2e/x.e2e.ts', seconds: 1 }] });
  expect(mergeBrowserRerun(once, run(spec('bad', 'unexpected')))).toMatchObject({
    passed: 2,
    failed: [{ name: 'x.e2e.ts > bad', why: 'bad?' }],
    again: [{ name: 'x.e2e.ts > slow', why: 'slow?' }],
  });
});

test('a failed browser test says what its page showed, since a second try leaves nothing else of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-outcome-'));
  const path = join(folder, 'error-context.md');
  writeFileSync(path, '# Test info\n\n```yaml\n- heading "Hello"\n```\n\n```ts\ntest();\n```\n');
  const result = { error: { message: 'not there' }, attachments: [{ name: 'error-context', path }] };
  const tests = [{ status: 'unexpected', results: [result] }];
  const { failed } = ofBrowser({
    stats: { expected: 0, unexpected: 1 },
    suites: [{ file: 'x.e2e.ts', specs: [{ title: 'bad', tests }] }],
    errors: [],
  });
  rmSync(folder, { recursive: true });
  expect(failed).toEqual([{ name: 'x.e2e.ts > bad', why: 'not there\n- heading "Hello"' }]);
});

test('an error that no test caught fails its file and says why', () => {
  const path = join(root, 'a.test.ts');
  const report = withUnhandledErrors(first, [{ path, message: 'Error: nobody awaited this' }]);
  expect(outcomeOf(report.testResults).failed).toEqual([
    { name: 'b.test.ts > four', why: 'four is wrong' },
    { name: 'a.test.ts > (the file)', why: 'Error: nobody awaited this' },
  ]);
});

test('an uncaught error of an unknown file is a failure of its own', () => {
  const report = withUnhandledErrors({ testResults: [] }, [{ path: null, message: 'Error: late' }]);
  expect(outcomeOf(report.testResults).failed).toEqual([
    { name: 'an unknown file > (the file)', why: 'Error: late' },
  ]);
});
