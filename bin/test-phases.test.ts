import { expect, test } from 'vitest';
import { none } from './test-outcome.ts';
import { max_run_s, type Phase, phaseLines } from './test-phases.ts';

const phase = (given: Partial<Phase>): Phase => ({
  ...{ name: 'unit', seconds: 1, cpu_seconds: 1, busy: 0.5, outcome: none },
  ...given,
});

test('a phase over its budget is a warning with its ten slowest files', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ path: `${at}.test.ts`, seconds: at }));
  const lines = phaseLines([phase({ seconds: 10_000, outcome: { ...none, passed: 3, files } })], 2_000);
  const warning = lines.findIndex((line) => line.startsWith('warning: unit took 10000 s'));
  expect(lines.slice(warning + 1)).toHaveLength(10);
  expect(lines[warning + 1]).toBe('    11.0 s  11.test.ts');
  expect(lines).toContain(
    `${max_run_s - 2_000} s are left of ${max_run_s} s, the end of what a run may ever take.`,
  );
});

test('a phase within its budget is one row', () => {
  const lines = phaseLines([phase({ cpu_seconds: 2, outcome: { ...none, passed: 3 } })], 1);
  expect(lines[1]).toMatch(/^unit +1 +\d+ +2 +50 +3$/);
  expect(lines.join('\n')).not.toContain('warning');
});
