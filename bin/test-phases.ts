import { availableParallelism, cpus } from 'node:os';
import { withChildTime } from './child-time.ts';
import type { Outcome } from './test-outcome.ts';

/**
 * The phases of `npm test` and how long each may take: seconds of wall time on two cores with nothing beside them. A phase over
 * its budget is a warning, never a failure. Phases overlap: the sum is more than the run takes. What the end of a run says is
 * left of `max_run_s` is what may be added to them.
 */
const budgets = {
  install: 70,
  packages: 60,
  checks: 110,
  build: 110,
  unit: 220,
  postgres: 390,
  page: 100,
  docker: 600,
  browser: 720,
  start: 190,
} as const;
export type PhaseName = keyof typeof budgets;

/** What a whole run may take, in seconds: today, and with everything that later features add. */
const run_budget_s = 1_800;
export const max_run_s = 3_300;

export interface Phase {
  name: PhaseName;
  /** Wall time, in seconds; overlaps with other phases. */
  seconds: number;
  /** Processor time of the processes that it waited for, in seconds. */
  cpu_seconds: number;
  /** How much of the machine's processors was in use meanwhile, by anything, from 0 to 1. */
  busy: number;
  outcome: Outcome;
}

/** Runs one phase and measures it. */
export async function measured(name: PhaseName, work: () => Promise<Outcome>): Promise<Phase> {
  const began = Date.now();
  const worked = workedSeconds();
  const { answer: outcome, cpu_seconds } = await withChildTime(work);
  const seconds = (Date.now() - began) / 1000;
  const busy = (workedSeconds() - worked) / seconds / availableParallelism();
  return { name, seconds, cpu_seconds, busy, outcome };
}

/** What all processors of the machine worked since it started, in seconds. */
const workedSeconds = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;

/** The table at the end of a run, with a warning and the ten slowest files for each phase over its budget. */
export function phaseLines(phases: readonly Phase[], total_s: number): string[] {
  const rows = phases.map(
    ({ name, seconds, cpu_seconds, busy, outcome }) =>
      `${name.padEnd(10)}${whole(seconds)}${whole(budgets[name])}${whole(cpu_seconds)}${whole(busy * 100)}${String(
        outcome.passed + outcome.failed.length,
      ).padStart(8)}`,
  );
  const over = phases.filter(({ name, seconds }) => seconds > budgets[name]);
  return [
    'phase        wall s  budget     cpu  busy %   tests',
    ...rows,
    `total     ${whole(total_s)}${whole(run_budget_s)}`,
    `${Math.round(max_run_s - total_s)} s are left of ${max_run_s} s, the end of what a run may ever take.`,
    ...over.flatMap(({ name, seconds, outcome }) => [
      `warning: ${name} took ${Math.round(seconds)} s, its budget is ${budgets[name]} s; its slowest files:`,
      ...slowest(outcome),
    ]),
  ];
}

const whole = (seconds: number): string => String(Math.round(seconds)).padStart(8);

const slowest = ({ files }: Outcome): string[] =>
  files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${path}`);
