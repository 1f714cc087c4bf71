import { limits } from './rules.ts';

/** How many numbers are tried before none is proposed. */
const max_tries = 1000;

/**
 * Numbers like `taken` that are not in `used`, nearest first: its last count raised (`1.0.1` after `1.0.0`), and another build
 * of it (`1.0.0+2`). One that would be too long is left out; of a number that has no room for more, a shorter one is built.
 */
export function freeNumbers(taken: string, used: ReadonlySet<string>): string[] {
  const [core = '', build] = split(taken);
  const counted = lastCount(core);
  const raised = (by: number) =>
    counted ? `${counted.before}${BigInt(counted.digits) + BigInt(by)}${counted.after}${build}` : null;
  const rebuilt = (by: number) => (build === '' ? `${core}+${by + 1}` : null);
  const free = [raised, rebuilt].flatMap((make) => firstFree(make, used));
  const short = core.slice(0, limits.version_number - 5);
  return free.length > 0 ? free : firstFree((by) => `${short}+${by + 1}`, used);
}

function firstFree(make: (by: number) => string | null, used: ReadonlySet<string>): string[] {
  for (let by = 1; by <= max_tries; by++) {
    const number = make(by);
    if (number === null || number.length > limits.version_number) return [];
    if (!used.has(number)) return [number];
  }
  return [];
}

/** The last digits of a number, with what stands around them; null without any. */
function lastCount(core: string): { before: string; digits: string; after: string } | null {
  const last = [...core.matchAll(/\d{1,64}/g)].at(-1);
  if (!last) return null;
  const end = last.index + last[0].length;
  return { before: core.slice(0, last.index), digits: last[0], after: core.slice(end) };
}

/** A number before its build (`+1.20.1`), and the build. */
const split = (number: string): [core: string, build: string] => {
  const plus = number.indexOf('+');
  return plus <= 0 ? [number, ''] : [number.slice(0, plus), number.slice(plus)];
};
