import type { Random } from './art/random.ts';
import type { Numbered } from './numbers.ts';

/**
 * Divides a project's downloads among its versions (`days` ago, oldest first): a version collects them while it is the
 * newest, later ones more than earlier ones, tests few. The shares add up to `downloads`.
 */
export function sharesOf(
  downloads: number,
  days: readonly number[],
  numbered: readonly Numbered[],
  r: Random,
): number[] {
  const weights = days.map((days_ago, at) => {
    const replaced = days[nextRelease(numbered, at)] ?? 0;
    const grown = 0.35 + (0.65 * (at + 1)) / days.length;
    const luck = Math.exp(r.range(-0.55, 0.55) + r.range(-0.4, 0.4));
    const weight = Math.max(0.4, days_ago - replaced) ** 0.8 * grown * luck;
    return numbered[at]!.kind === 'test' ? weight * r.range(0.004, 0.03) : weight;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => Math.floor((downloads * weight) / total));
  const most = shares.indexOf(Math.max(...shares));
  shares[most]! += downloads - shares.reduce((sum, share) => sum + share, 0);
  return shares;
}

/** The place of the version that replaced the one at `at`: the next release, or for a test the next version. */
function nextRelease(numbered: readonly Numbered[], at: number): number {
  const next = numbered.findIndex(({ kind }, place) => place > at && kind !== 'test');
  return next < 0 ? numbered.length : next;
}
