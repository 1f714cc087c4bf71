import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcomeOf as ofBrowser } from './browser.ts';
import { root } from './install.mjs';
import { honest, lastLines, none, sum } from './outcome.ts';
import { mended, outcomeOf, type Report } from './vitest.ts';

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
const first: Report = {
  testResults: [
    file('a.test.ts', ['one', 'passed'], ['two', 'passed']),
    file('b.test.ts', ['three', 'passed'], ['four', 'failed']),
  ],
};

test('what passes when run again is passed and named', () => {
  const again = {
    code: 0,
    report: { testResults: [file('b.test.ts', ['three', 'passed'], ['four', 'passed'])] },
  };
  expect(lastLines(mended(first, again))).toEqual([
    'passed only when run again: b.test.ts > four',
    '    four is wrong',
    '4 passed, 0 failed',
  ]);
});

test('what fails twice has failed, and whatever fails the second time', () => {
  const again = (...tests: Array<[string, string]>) => ({
    code: 1,
    report: { testResults: [file('b.test.ts', ...tests)] },
  });
  const twice = mended(first, again(['three', 'passed'], ['four', 'failed']));
  expect(lastLines(twice)).toEqual(['failed: b.test.ts > four', '    four is wrong', '3 passed, 1 failed']);
  const other = mended(first, again(['three', 'failed'], ['four', 'passed']));
  expect(other.failed.map(({ name }) => name)).toEqual(['b.test.ts > three']);
});

test('a second run without a report, or that ends badly, has failed', () => {
  expect(mended(first, { code: 1, report: null }).failed).toHaveLength(1);
  const fine = { testResults: [file('b.test.ts', ['four', 'passed'])] };
  expect(mended(first, { code: 1, report: fine }).failed).toHaveLength(1);
});

test('a file that cannot be read counts as one failure', () => {
  const broken = { ...file('c.test.ts'), status: 'failed', message: 'no such module' };
  expect(outcomeOf([broken]).failed).toEqual([{ name: 'c.test.ts > (the file)', why: 'no such module' }]);
});

test('a program that ends badly while its tests passed has failed', () => {
  expect(honest('browser', 1, { ...none, passed: 3 }).failed).toHaveLength(1);
  expect(sum([{ ...none, passed: 2 }, none])).toEqual({ passed: 2, failed: [], again: [] });
});

test('browser tests that passed at the second try are named', () => {
  const spec = (title: string, status: string) => ({
    title,
    tests: [{ status, results: [{ error: { message: `${title}?` } }, {}] }],
  });
  const outcome = ofBrowser({
    stats: { expected: 1, flaky: 1, unexpected: 1 },
    suites: [
      {
        file: 'x.e2e.ts',
        specs: [spec('slow', 'flaky')],
        suites: [{ file: 'x.e2e.ts', specs: [spec('bad', 'unexpected')] }],
      },
    ],
    errors: [],
  });
  expect(outcome).toEqual({
    passed: 2,
    failed: [{ name: 'x.e2e.ts > bad', why: 'bad?' }],
    again: [{ name: 'x.e2e.ts > slow', why: 'slow?' }],
  });
});
