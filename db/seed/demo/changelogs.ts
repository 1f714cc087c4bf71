import type { Random } from '../art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { added, changed, fixed, thanks } from './data/changes.ts';

/** What a version says about itself, in Markdown. `port`: it is the first one for `game`. */
export function changelogOf(
  project: ListedProject,
  kind: 'first' | 'change' | 'port',
  game: string,
  r: Random,
): string {
  const { title, type, features } = project;
  if (kind === 'first')
    return r.pick([
      'First public version.',
      `First version of **${title}** for everybody. Tell me what is missing.`,
      `Hello. This one has:\n\n${features.map((one) => `- ${one}`).join('\n')}`,
    ]);
  const news = draw(r, added[type], r.int(0, 2));
  const other = draw(r, changed[type], r.int(kind === 'port' ? 0 : 1, 2));
  const mended = draw(r, fixed[type], r.int(0, 3));
  const port = kind === 'port' ? `Runs on **${game}**. ` : '';
  const all = [...news, ...other, ...mended];
  if (all.length === 0) return `${port || 'Small repairs. '}Nothing else has changed.`;
  if (all.length === 1) return `${port}${all[0]}`;
  const style = r.next();
  if (style < 0.45) return `${port ? `${port.trim()}\n\n` : ''}${points(all)}`;
  const parts = [
    port.trim(),
    news.length > 0 && `### New\n\n${points(news)}`,
    other.length > 0 && `### Changed\n\n${points(other)}`,
    mended.length > 0 && `### Fixed\n\n${points(mended)}`,
    r.next() < 0.25 && `> ${r.pick(thanks)}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

const points = (list: readonly string[]) => list.map((one) => `- ${one}`).join('\n');

/** `count` different ones of `list`. */
export function draw<T>(r: Random, list: readonly T[], count: number): T[] {
  const rest = [...list];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(r.int(0, rest.length - 1), 1)[0]!,
  );
}
