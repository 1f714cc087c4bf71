import type { Random } from './art/random.ts';

export interface Numbered {
  number: string;
  version_type: 'release' | 'beta' | 'alpha';
  /** `feature`: the first release of a series; `patch`: a later one; `test`: a beta or alpha before it. */
  kind: 'feature' | 'patch' | 'test';
  /** The number of the feature release that it belongs to. */
  series: string;
}

/**
 * Up to `count` version numbers that end with the release `newest`, oldest first: patches after feature releases, betas
 * and alphas before some of them.
 */
export function numbersBefore(newest: string, count: number, r: Random): Numbered[] {
  const list: Numbered[] = [];
  let [major, minor, patch] = newest.split('.').map(Number) as [number, number, number];
  while (list.length < count) {
    const series = `${major}.${minor}.0`;
    const early = major === 0;
    for (; patch > 0; patch--)
      list.push({
        number: `${major}.${minor}.${patch}`,
        version_type: early ? 'beta' : 'release',
        kind: 'patch',
        series,
      });
    list.push({ number: series, version_type: early ? 'beta' : 'release', kind: 'feature', series });
    const latest = !list.some(({ kind }, at) => kind === 'feature' && at < list.length - 1);
    if (!early) list.push(...testsOf(series, { major: minor === 0, likely: latest ? 1 : 0.4 }, r));
    if (minor > 0) minor -= 1;
    else if (major > 0) [major, minor] = [major - 1, r.int(2, 6)];
    else break;
    patch = Math.max(0, r.int(-1, 3));
  }
  return list.slice(0, count).reverse();
}

/** Test versions before a feature release, newest first; major ones always have some. */
function testsOf(
  series: string,
  { major, likely }: { major: boolean; likely: number },
  r: Random,
): Numbered[] {
  const tests = (version_type: 'beta' | 'alpha', most: number) =>
    Array.from({ length: most }, (_, at) => ({
      ...{ number: `${series}-${version_type}.${most - at}`, version_type, kind: 'test' as const, series },
    }));
  const betas = major || r.next() < likely ? r.int(1, major ? 3 : 2) : 0;
  const alphas = betas > 0 && r.next() < (major ? 0.7 : 0.2) ? r.int(1, 3) : 0;
  return [...tests('beta', betas), ...tests('alpha', alphas)];
}

/** The newest release of a project with about `count` versions. */
export function newestNumber(count: number, r: Random): string {
  const features = Math.max(1, Math.round(count / r.range(2, 3.2)));
  const major = 1 + Math.floor(features / 7);
  return `${major}.${major > 1 ? features % 7 : features - 1}.${count > 2 ? r.int(0, 2) : count - 1}`;
}

/** Numbers by year and month of release, oldest first: `2026.4`, then `2026.4.2`. */
export function calendarNumbers(dates: readonly Date[]): Numbered[] {
  const known = new Map<string, number>();
  return dates.map((date) => {
    const month = `${date.getUTCFullYear()}.${date.getUTCMonth() + 1}`;
    const released = (known.get(month) ?? 0) + 1;
    known.set(month, released);
    return {
      ...{ number: released > 1 ? `${month}.${released}` : month, version_type: 'release', series: month },
      kind: released > 1 ? 'patch' : 'feature',
    };
  });
}
