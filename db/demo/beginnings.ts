import type { Random } from './art/random.ts';
import type { PlannedVersion } from './history.ts';
import { demoId } from './ids.ts';

/** Game versions of each release of a project, newest first. */
const eras = [
  ['26.2', '26.1.2'],
  ['1.21.11', '1.21.10'],
  ['1.21.4', '1.21.3', '1.21.1', '1.21'],
  ['1.20.6', '1.20.4'],
  ['1.20.1'],
];
const changes = [
  'Faster start.',
  'Fixed a crash beside deep water.',
  'New translations.',
  'Works with the newest game version.',
  'Settings are kept when updating.',
  'Smaller file.',
];

/** The versions of the original sixty demo projects; URLs in tests and texts rely on them. */
export function firstHistoryOf(
  slug: string,
  loaders: string[],
  downloads: number,
  r: Random,
): PlannedVersion[] {
  const first = r.int(0, 1);
  const steps = eras.slice(first, first + r.int(3, 4)).reverse();
  let days_ago = r.int(500, 900);
  const planned = steps.map((game_versions, step): PlannedVersion => {
    days_ago = Math.max(1, Math.round(days_ago * r.range(0.25, 0.6)));
    const version_number = `${1 + Math.floor(step / 2)}.${step % 2 ? r.int(1, 9) : 0}.${r.int(0, 4)}`;
    return {
      id: demoId(`version ${slug} ${step}`),
      version_number,
      name: `${version_number}`,
      version_type: 'release',
      loaders,
      game_versions,
      days_ago,
      downloads: Math.round((downloads * (step + 1)) / (steps.length * (steps.length + 1) * 0.5)),
      changelog: `- ${r.pick(changes)}\n- ${r.pick(changes)}`,
    };
  });
  const newest = planned.at(-1)!;
  if (r.next() < 0.4) {
    const version_number = `${newest.version_number}-beta.1`;
    planned.push({
      ...newest,
      id: demoId(`version ${slug} beta`),
      version_number,
      name: version_number,
      version_type: 'beta',
      days_ago: Math.max(0, newest.days_ago - 1),
      downloads: 12,
      changelog: '- Try it and say what breaks.',
    });
  }
  return planned;
}
