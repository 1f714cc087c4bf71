import { readFileSync } from 'node:fs';
import type { Random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { changelogsOf } from './changelogs.ts';
import { demoId } from './ids.ts';
import { calendarNumbers, type Numbered, newestNumber, numbersBefore } from './numbers.ts';
import { releasesOf } from './releases.ts';
import { sharesOf } from './shares.ts';

export interface PlannedVersion {
  id: string;
  version_number: string;
  /** Null: it has none besides its number. */
  name: string | null;
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
const dateOf = (days_ago: number): number => written - days_ago * day_ms;

/** Released game versions, newest first. */
const gameReleases: Array<{ version: string; date: number }> = (
  JSON.parse(
    readFileSync(new URL('../catalogue/tags/game-versions.json', import.meta.url), 'utf8'),
  ) as Array<{
    version: string;
    version_type: string;
    date: string;
  }>
)
  .filter(({ version_type }) => version_type === 'release')
  .map(({ version, date }) => ({ version, date: Date.parse(date) }));

/** Game versions that many servers stay on for years. */
const long_lived = ['1.21.1', '1.20.1'];

/** Loaders younger than the oldest demo project, with their first day. */
const began: Record<string, number> = {
  neoforge: Date.parse('2023-09-25'),
  quilt: Date.parse('2022-04-20'),
  folia: Date.parse('2023-03-29'),
  purpur: Date.parse('2021-01-01'),
};

/** Typical number of game versions per file. */
const spans: Record<ListedProject['type'], [number, number]> = {
  mod: [2, 5],
  modpack: [1, 1],
  plugin: [2, 6],
  datapack: [2, 4],
  resourcepack: [3, 8],
  shader: [3, 8],
};

/** What is known of a project before its versions. */
export interface Known {
  downloads: number;
  /** Number of versions, the newest release and its age in days; null for what follows from the name. */
  versions: readonly [count: number, newest: string, days_ago: number] | null;
}

/** The versions of a project, oldest first: consistent dates, numbers, game versions, loaders and downloads. */
export function historyOf(
  slug: string,
  project: ListedProject,
  { downloads, versions }: Known,
  r: Random,
): PlannedVersion[] {
  const few = 1 + Math.floor(r.next() ** 1.6 * 14);
  const [count, newest, last] = versions ?? [few, newestNumber(few, r), null];
  let numbered = numbersBefore(newest, count, r);
  const days = daysOf(project, numbered, last, r);
  const { type } = project;
  if (!versions && (type === 'modpack' || type === 'resourcepack') && r.next() < 0.3)
    numbered = calendarNumbers(days.map((days_ago) => new Date(dateOf(days_ago))));
  const games = gamesOf(days, numbered, project, r);
  const suffix = !versions && type === 'mod' && r.next() < 0.3;
  const changelog = changelogsOf(project, r);
  const written_releases = releasesOf(slug, numbered);
  const shares = sharesOf(downloads, days, numbered, r);
  return days.map((days_ago, at): PlannedVersion => {
    const { number, version_type, kind, series } = numbered[at]!;
    const game = games[at]!.at(-1)!;
    const release = written_releases.get(number);
    const port = at > 0 && game !== games[at - 1]!.at(-1);
    return {
      id: demoId(`version ${slug} ${at}`),
      version_number: suffix ? `${number}+${game}` : number,
      name: (kind === 'test' ? written_releases.get(series) : release)?.name ?? null,
      version_type,
      loaders: loadersAt(dateOf(days_ago), project.loaders, kind === 'test' && r.next() < 0.6),
      game_versions: games[at]!,
      days_ago,
      downloads: shares[at]!,
      changelog:
        release?.changelog ||
        changelog(at === 0 ? 'first' : kind === 'test' ? 'test' : port ? 'port' : kind, { game, series }),
    };
  });
}

/** Days from one version to the next, before they are stretched to the age of the project. */
function gapOf({ kind }: Numbered, before: Numbered | undefined, r: Random): number {
  if (kind === 'patch') return r.range(1, 26);
  if (before?.kind === 'test') return kind === 'test' ? r.range(1.5, 9) : r.range(3, 14);
  return 0; // the months between two feature releases take what is left
}

/** Ages of the versions in days, oldest first. `last`: of the newest; null for a likely one. */
function daysOf(
  { type, archived, loaders }: ListedProject,
  numbered: readonly Numbered[],
  last: number | null,
  r: Random,
): number[] {
  const count = numbered.length;
  const youngest = Math.min(...loaders.map((loader) => began[loader] ?? 0));
  const oldest = Math.min(
    youngest ? (written - youngest) / day_ms - 5 : 1750,
    type === 'modpack' ? 900 : 1750,
  );
  const least = Math.min(120 + count * 24, oldest - 60);
  const first = count === 1 ? r.range(3, 500) : least + (oldest - least) * r.next() ** 1.6;
  const rests = archived || r.next() > 0.68;
  const likely = rests
    ? Math.min(first * 0.8, r.range(archived ? 420 : 60, 800))
    : Math.min(first * 0.5, r.range(0.4, 55));
  if (count === 1) return [round(last ?? first)];
  const gaps = numbered.slice(1).map((one, at) => gapOf(one, numbered[at], r));
  const months = gaps.map((gap) => (gap === 0 ? r.range(0.5, 2) : 0));
  const span = first - (last ?? likely);
  const short = sum(gaps);
  const scale = Math.min(1, (0.5 * span) / (short || 1));
  const rest = (span - short * scale) / (sum(months) || 1);
  let days_ago = last ?? likely;
  const days = [days_ago];
  for (let at = gaps.length - 1; at >= 0; at--) {
    days_ago += gaps[at]! * scale + months[at]! * rest;
    days.push(days_ago);
  }
  return days.map(round).reverse();
}

const round = (days: number): number => Math.round(days * 1000) / 1000;
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

/**
 * Game versions of every file, oldest first: up to the newest of its day, or the one before; support is never taken back,
 * patches keep the oldest game version of their series, and some mods keep those that many servers stay on.
 */
function gamesOf(
  days: readonly number[],
  numbered: readonly Numbered[],
  { type }: ListedProject,
  r: Random,
): string[][] {
  const [least, most] = spans[type];
  const lasting = type === 'mod' && r.next() > 0.5 ? long_lived : [];
  let [newest, oldest] = [gameReleases.length, gameReleases.length];
  return days.map((days_ago, at) => {
    const known = gameReleases.findIndex(({ date }) => date <= dateOf(days_ago));
    newest = Math.min(newest, known + (r.next() < 0.12 ? 1 : 0));
    const last = newest + r.int(least, most) - 1;
    if (at === 0 || numbered[at]!.kind !== 'patch' || most === 1)
      oldest = Math.max(newest, Math.min(oldest, last));
    const old = gameReleases.slice(oldest + 1).filter(({ version }) => lasting.includes(version));
    return [...gameReleases.slice(newest, oldest + 1), ...old].map(({ version }) => version).reverse();
  });
}

/** The project's loaders that existed then, at least the first; `only_first` for a first try. */
function loadersAt(at: number, loaders: string[], only_first: boolean): string[] {
  const then = loaders.filter((loader) => (began[loader] ?? 0) <= at);
  return then.length > 0 && !only_first ? then : loaders.slice(0, 1);
}
