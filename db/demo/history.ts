import { readFileSync } from 'node:fs';
import type { Random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { changelogsOf } from './changelogs.ts';
import { demoId } from './ids.ts';

export interface PlannedVersion {
  id: string;
  version_number: string;
  name: string;
  version_type: 'release' | 'beta' | 'alpha';
  loaders: string[];
  game_versions: string[];
  days_ago: number;
  downloads: number;
  changelog: string;
}

const day_ms = 86_400_000;
/** Reference day of the demo content: game versions and dates are relative to it, whenever it is seeded. */
const written = Date.parse('2026-11-21T12:00:00Z');

interface Release {
  version: string;
  date: number;
}
/** Released game versions, newest first. */
const releases: Release[] = (
  JSON.parse(readFileSync(new URL('../tags/game-versions.json', import.meta.url), 'utf8')) as Array<{
    version: string;
    version_type: string;
    date: string;
  }>
)
  .filter(({ version_type }) => version_type === 'release')
  .map(({ version, date }) => ({ version, date: Date.parse(date) }));

/** Loaders younger than the oldest demo project, with their first day. */
const began: Record<string, number> = {
  neoforge: Date.parse('2023-09-25'),
  quilt: Date.parse('2022-04-20'),
  folia: Date.parse('2023-03-29'),
  purpur: Date.parse('2021-01-01'),
};

/** Typical number of game versions per file. */
const spans: Record<ListedProject['type'], [number, number]> = {
  mod: [1, 3],
  modpack: [1, 1],
  plugin: [2, 6],
  datapack: [2, 4],
  resourcepack: [3, 8],
  shader: [3, 8],
};

/** The versions of a project, oldest first: consistent dates, numbers, game versions and loaders. */
export function historyOf(
  slug: string,
  project: ListedProject,
  downloads: number,
  r: Random,
): PlannedVersion[] {
  const days = daysOf(project, r);
  const games = days.map((days_ago) => gamesAt(written - days_ago * day_ms, project, r));
  const ports = games.map((one, at) => at > 0 && one.at(-1) !== games[at - 1]!.at(-1));
  const numbers = numbersOf(project, days, ports, r);
  const changelog = changelogsOf(project, r);
  const weights = days.map((_, at) => (at + 1) * r.range(0.3, 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return days.map((days_ago, at): PlannedVersion => {
    const { number, version_type } = numbers[at]!;
    const game_versions = games[at]!;
    const version_number = number.replace('{game}', game_versions.at(-1)!);
    const kind = at === 0 ? 'first' : ports[at] ? 'port' : 'change';
    return {
      id: demoId(`version ${slug} ${at}`),
      version_number,
      name: version_number,
      version_type,
      loaders: loadersAt(written - days_ago * day_ms, project.loaders),
      game_versions,
      days_ago,
      downloads: Math.floor((downloads * weights[at]!) / total),
      changelog: changelog(kind, game_versions.at(-1)!),
    };
  });
}

/** Release dates of versions, as days ago, oldest first: one to fourteen. */
function daysOf({ type, archived, loaders }: ListedProject, r: Random): number[] {
  const count = 1 + Math.floor(r.next() ** 1.6 * 14);
  const youngest = Math.min(...loaders.map((loader) => began[loader] ?? 0));
  const oldest = Math.min(
    youngest ? (written - youngest) / day_ms - 5 : 1750,
    type === 'modpack' ? 900 : 1750,
  );
  const first = count === 1 ? r.range(3, 500) : r.range(Math.min(90 + count * 22, oldest - 60), oldest);
  const rests = archived || r.next() > 0.68;
  const last = rests
    ? Math.min(first * 0.8, r.range(archived ? 420 : 60, 800))
    : Math.min(first * 0.5, r.range(0.4, 55));
  const between = Array.from({ length: Math.max(0, count - 2) }, () => r.range(last, first));
  const days = count === 1 ? [first] : [first, ...between, last];
  return days.map((one) => Math.round(one * 1000) / 1000).sort((a, b) => b - a);
}

type Numbered = { number: string; version_type: PlannedVersion['version_type'] };

/**
 * Increasing version numbers in the style of the project: plain, with the game version as suffix, or by year and
 * month.
 */
function numbersOf({ type }: ListedProject, days: number[], ports: boolean[], r: Random): Numbered[] {
  const style = r.next();
  if ((type === 'modpack' || type === 'resourcepack') && style < 0.3) return calendar(days);
  const suffix = type === 'mod' && style < 0.45 ? '+{game}' : '';
  const young = days.length > 2 && r.next() < 0.4;
  let [major, minor, patch] = young ? [0, r.int(1, 4), 0] : [1, 0, 0];
  return days.map((_, at) => {
    if (at > 0) {
      const step = r.next() - (ports[at] ? 0.2 : 0);
      if (major === 0 ? step < 0.25 : step < 0.06) [major, minor, patch] = [major + 1, 0, 0];
      else if (step < 0.55) [minor, patch] = [minor + 1, 0];
      else patch += 1;
    }
    const early = major === 0;
    const trial = !early && at > 0 && patch === 0 && r.next() < 0.2;
    const version_type = early ? (minor < 3 ? 'alpha' : 'beta') : trial ? 'beta' : 'release';
    return { number: `${major}.${minor}.${patch}${trial ? '-beta.1' : ''}${suffix}`, version_type };
  });
}

function calendar(days: number[]): Numbered[] {
  const known = new Map<string, number>();
  return days.map((days_ago) => {
    const date = new Date(written - days_ago * day_ms);
    const month = `${date.getUTCFullYear()}.${date.getUTCMonth() + 1}`;
    const retried = (known.get(month) ?? 0) + 1;
    known.set(month, retried);
    return { number: retried > 1 ? `${month}.${retried}` : month, version_type: 'release' as const };
  });
}

/** Game versions of a file of that day, oldest first; some lag one release behind. */
function gamesAt(at: number, { type }: ListedProject, r: Random): string[] {
  const newest = releases.findIndex(({ date }) => date <= at);
  const start = newest + (r.next() < 0.2 ? 1 : 0);
  const [least, most] = spans[type];
  return releases
    .slice(start, start + r.int(least, most))
    .map(({ version }) => version)
    .reverse();
}

/** The project's loaders that existed then; at least the first. */
function loadersAt(at: number, loaders: string[]): string[] {
  const then = loaders.filter((loader) => (began[loader] ?? 0) <= at);
  return then.length > 0 ? then : loaders.slice(0, 1);
}
