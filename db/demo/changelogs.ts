import type { Random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { added, changed, fixed, tests, thanks } from './data/changes.ts';
import { suiting } from './traits.ts';

/** What kind of version a changelog is for; `port`: the first one for another game version. */
type Kind = 'first' | 'feature' | 'patch' | 'port' | 'test';
/** The changelog of a version, in Markdown; `series` is the feature release that a test is for. */
export type Changelogs = (kind: Kind, about: { game: string; series: string }) => string;

/** The changelogs of one project, one per call; no entry repeats before all were used. */
export function changelogsOf(project: ListedProject, r: Random): Changelogs {
  const { title, type, features } = project;
  const [news, others, repairs] = [added, changed, fixed].map((all) => deck(r, suiting(all[type], project)));
  const trying = deck(r, tests);
  return (kind, { game, series }) => {
    if (kind === 'first')
      return r.pick([
        'First public version.',
        `The first version of **${title}**. Tell me what is missing.`,
        `Hello! This version has:\n\n${points(features)}`,
      ]);
    if (kind === 'test') {
      const item = r.next() < 0.6 ? `\n\n${points(r.next() < 0.5 ? news!(1) : repairs!(1))}` : '';
      return trying(1)[0]!.replaceAll('{series}', series) + item;
    }
    const port = kind === 'port' ? `Updated for **${game}**.` : '';
    const now =
      kind === 'patch'
        ? { new: [], changed: others!(r.next() < 0.2 ? 1 : 0), fixed: repairs!(r.int(1, 3)) }
        : {
            new: news!(r.int(port ? 0 : 1, 2)),
            changed: others!(r.int(0, 2)),
            fixed: repairs!(r.int(0, 2)),
          };
    const all = [...now.new, ...now.changed, ...now.fixed];
    if (all.length === 0) return `${port} Nothing else has changed.`;
    if (all.length === 1) return `${port} ${all[0]}`.trim();
    if (all.length < 4 || r.next() < 0.45) return `${port}\n\n${points(all)}`.trim();
    const parts = [
      port,
      now.new.length > 0 && `### New\n\n${points(now.new)}`,
      now.changed.length > 0 && `### Changed\n\n${points(now.changed)}`,
      now.fixed.length > 0 && `### Fixed\n\n${points(now.fixed)}`,
      r.next() < 0.25 && `> ${r.pick(thanks)}`,
    ];
    return parts.filter(Boolean).join('\n\n');
  };
}

const points = (list: readonly string[]) => list.map((one) => `- ${one}`).join('\n');

/** Gives the next few of a shuffled list; starts again when it runs out. */
function deck(r: Random, list: readonly string[]): (count: number) => string[] {
  let rest: string[] = [];
  return (count) => {
    if (rest.length < count) {
      const others = list.filter((one) => !rest.includes(one));
      rest = [...rest, ...draw(r, others, others.length)];
    }
    return rest.splice(0, count);
  };
}

/** `count` different items of `list`. */
export function draw<T>(r: Random, list: readonly T[], count: number): T[] {
  const rest = [...list];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(r.int(0, rest.length - 1), 1)[0]!,
  );
}
