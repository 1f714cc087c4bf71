import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** One row of the report. */
export interface Row {
  name: string;
  ours: string;
  /** The reference value: the other side of a comparison, or the limit itself. */
  baseline: string;
  ratio: number | null;
  /** The target in words, empty without a target. */
  target: string;
  met: boolean;
}

interface Compared {
  name: string;
  ratio: number;
  ours: string;
  baseline: string;
}

const rounded = (value: number): number => Number(value.toPrecision(3));

/** A comparison in which more is better: 1 is the baseline. */
export const ratioAtLeast = (target: number, { ratio, ...row }: Compared): Row => ({
  ...row,
  ratio: rounded(ratio),
  target: `>= ${target}`,
  met: ratio >= target,
});

/** A comparison in which less is better: 1 is the baseline. */
export const ratioAtMost = (target: number, { ratio, ...row }: Compared): Row => ({
  ...row,
  ratio: rounded(ratio),
  target: `<= ${target}`,
  met: ratio <= target,
});

/** A value with an upper limit. */
export const atMost = (name: string, value: number, target: number, unit: string): Row => ({
  name,
  ours: `${rounded(value)} ${unit}`,
  baseline: '',
  ratio: null,
  target: `<= ${target} ${unit}`,
  met: value <= target,
});

/** A value with a lower limit. */
export const atLeast = (name: string, value: number, target: number, unit: string): Row => ({
  ...atMost(name, value, target, unit),
  target: `>= ${target} ${unit}`,
  met: value >= target,
});

/** A value without a target. */
export const informational = (name: string, ours: string, baseline = ''): Row => ({
  name,
  ours,
  baseline,
  ratio: null,
  target: '',
  met: true,
});

/** Prints the rows and stores them as JSON below bench/results. Gives whether every target was met. */
export function report(rows: readonly Row[]): boolean {
  console.table(
    Object.fromEntries(
      rows.map(({ name, ours, baseline, ratio, target, met }) => [
        name,
        { ours, baseline, ratio: ratio ?? '', target, met: target === '' ? '' : met ? 'yes' : 'NO' },
      ]),
    ),
  );
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${new Date().toISOString().replaceAll(':', '-')}.json`, folder);
  writeFileSync(file, JSON.stringify({ cpu: cpus()[0]?.model, cores: cpus().length, rows }, null, 2));
  return rows.every(({ met }) => met);
}
