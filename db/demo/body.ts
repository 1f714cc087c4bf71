import { existsSync, readFileSync } from 'node:fs';
import { copiesOf } from '../files/image-copies.ts';
import type { StoredImage } from '../files/pictures.ts';
import { type Random, random } from './art/random.ts';
import { catalogue, slugOf } from './catalogue.ts';
import { draw } from './changelogs.ts';
import { closings, notes, openings, questions, settingsOf, steps, whys } from './data/parts.ts';
import type { PlannedPicture } from './pictures.ts';
import type { PlannedProject } from './plan.ts';
import { suiting, traitsOf } from './traits.ts';

/** An image of the project's own gallery, for its description. */
export interface BodyPicture {
  /** The smallest copy. */
  url: string;
  raw_url: string;
  /** Of the original, in pixels. */
  width: number;
  title: string;
}

/** The pictures of a project as its description shows them. */
export const shownPictures = (
  pictures: ReadonlyArray<Pick<PlannedPicture, 'width' | 'title'> & { picture: StoredImage }>,
): BodyPicture[] =>
  pictures.map(({ picture, width, title }) => ({
    ...{ url: `/${picture.key}`, raw_url: `/${picture.raw_key}`, width, title },
  }));

const titles = new Map(catalogue.map(({ title }) => [slugOf(title), title]));

const writtenBody = (slug: string) => new URL(`./data/bodies/${slug}.md`, import.meta.url);

/** Whether its description was written by hand, as those of the projects that come first in lists. */
export const hasWrittenBody = (slug: string): boolean => existsSync(writtenBody(slug));

/**
 * The description of a project in Markdown: hand-written if `data/bodies` has one, else composed of parts that fit its
 * type, with its own features, images and related projects. The same on every installation.
 */
export function bodyOf(project: PlannedProject, pictures: readonly BodyPicture[]): string {
  const file = writtenBody(project.slug);
  const written = hasWrittenBody(project.slug) ? readFileSync(file, 'utf8') : composed(project, pictures);
  return written.replace(/!\{picture (\d)\}/g, (_, at) => sized(pictures[Number(at) - 1])).trim();
}

/** In the width of a table's cell. */
const image = ({ url, title }: BodyPicture) => `![${title}](${copiesOf(url)[1]!.name})`;
/** With its size, so that the layout does not shift when it loads, and its copies for every screen. */
function sized(picture: BodyPicture | undefined, shown = 800): string {
  if (!picture) return '';
  const { url, raw_url, width, title } = picture;
  const copies = copiesOf(url).map((copy) => `${copy.name} ${copy.width}w`);
  const sizes = `(max-width: 40rem) calc(100vw - 2rem), ${Math.min(shown / 16, 46)}rem`;
  return `<img src="${copiesOf(url).at(-1)!.name}" srcset="${[...copies, `${raw_url} ${width}w`].join(', ')}" sizes="${sizes}" alt="${title}" width="${shown}" height="${(shown / 16) * 9}">`;
}

function composed(project: PlannedProject, pictures: readonly BodyPicture[]): string {
  const r = random(`body:${project.slug}`);
  const middle = [
    whatItDoes(project, r),
    pictures.length > 0 && r.next() < 0.75 && renderedAs(r, pictures),
    r.next() < 0.5 && `> ${r.pick(suiting(whys[project.type], project))}`,
    r.next() < 0.55 && settings(project, r),
    r.next() < 0.45 && table(project),
    r.next() < 0.4 && plans(project, r),
  ];
  return [
    opening(project, r),
    ...middle,
    installed(project, r),
    company(project),
    r.next() < 0.6 && requested_bodies(project, r),
    closing(project, r),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const filled = (text: string, { title, slug, owner, features }: PlannedProject): string =>
  text
    .replaceAll('{title}', title)
    .replaceAll('{owner}', owner)
    .replaceAll('{slug}', slug)
    .replaceAll('{feature}', features[0].toLowerCase());

function opening(project: PlannedProject, r: Random): string {
  const topic = project.categories.find((name) => name in openings) ?? project.type;
  const more = draw(r, openings[topic] ?? openings[project.type]!, r.int(1, 2)).map((one) =>
    filled(one, project),
  );
  const head = r.next() < 0.3 ? `## About ${project.title}\n\n` : '';
  return `${head}${r.next() < 0.5 ? `**${project.description}**` : project.description}\n\n${more.join(' ')}`;
}

function whatItDoes(project: PlannedProject, r: Random): string {
  const heading = r.pick(['What it does', 'In short', 'What you get', 'What is inside']);
  const { features, type, slug } = project;
  const extra = draw(r, suiting(notes[type], project), r.int(0, 2));
  const all = [...features, ...extra];
  const lines = r.pick([
    () => all.map((one) => `- ${one}`),
    () => all.map((one, at) => `${at + 1}. ${one}`),
    () => all.map((one, at) => (at < 3 ? `- **${one}**` : `- ${one}`)),
    () => all.map((one) => `* ${one}`),
  ])();
  return `## ${heading}\n\n${lines.join('\n')}${slug.length % 5 === 0 ? '\n\n---' : ''}`;
}

function renderedAs(r: Random, pictures: readonly BodyPicture[]): string {
  const [one, two] = pictures;
  if (r.next() < 0.4) return `<p align="center">\n  ${sized(one, 640)}\n  <br><sub>${one!.title}</sub>\n</p>`;
  if (!two || r.next() < 0.5) return sized(one);
  return `| ${one!.title} | ${two.title} |\n| :-: | :-: |\n| ${image(one!)} | ${image(two)} |`;
}

function settings(project: PlannedProject, r: Random): string {
  const traits = traitsOf(project);
  const fitting = settingsOf[project.type].filter(({ trait }) => !trait || traits.has(trait));
  if (fitting.length === 0) return '';
  const { language, code, say } = r.pick(fitting);
  const id = project.slug.replaceAll('-', '_');
  return `## Settings\n\n${say.replaceAll('{id}', id)}\n\n\`\`\`${language}\n${code.replaceAll('{id}', id).replaceAll('{title}', project.title)}\n\`\`\``;
}

/** Loaders and game versions of the newest files. */
function table({ versions }: PlannedProject): string {
  const known = new Set<string>();
  const rows = [...versions].reverse().flatMap(({ game_versions, loaders, version_number }) => {
    const game = game_versions.at(-1)!;
    if (known.has(game) || known.size > 3) return [];
    known.add(game);
    return [`| ${game} | ${version_number} | ${loaders.map((one) => `\`${one}\``).join(' ')} |`];
  });
  return `## Game versions\n\n| Game | Newest file | For |\n| :-- | :-- | :-- |\n${rows.join('\n')}`;
}

function plans({ features, versions }: PlannedProject, r: Random): string {
  const done = features.slice(0, versions.length > 2 ? 3 : 2).map((one) => `- [x] ${one}`);
  const open = draw(
    r,
    [
      'A second look at performance',
      'Translations by people who speak the language',
      'A page of examples',
      'Pictures for the wiki',
      'Fewer settings',
    ],
    2,
  );
  return `## Where it stands\n\n${[...done, ...open.map((one) => `- [ ] ${one}`)].join('\n')}`;
}

function installed(project: PlannedProject, r: Random): string {
  const list = r.pick(steps[project.type]).map((one, at) => `${at + 1}. ${one}`);
  const requests = project.needs.filter(({ dependency_type }) => dependency_type === 'required');
  const first = requests.map(({ slug }) => `[${titles.get(slug)}](/project/${slug})`).join(' and ');
  return `## Install\n\n${first ? `Needs ${first}.\n\n` : ''}${list.join('\n')}`;
}

const why: Record<PlannedProject['needs'][number]['dependency_type'], string> = {
  required: 'it does not start without',
  optional: 'better together',
  incompatible: 'both want the same thing, take one',
  embedded: 'part of the pack',
};

function company({ needs }: PlannedProject): string {
  if (needs.length === 0) return '';
  const rows = needs.map(
    ({ slug, dependency_type }) => `| [${titles.get(slug)}](/project/${slug}) | ${why[dependency_type]} |`,
  );
  return `## Good company\n\n| Project | Why |\n| :-- | :-- |\n${rows.join('\n')}`;
}

function requested_bodies(project: PlannedProject, r: Random): string {
  const all = draw(r, questions[project.type], r.int(1, 3));
  return `## Asked before\n\n${all
    .map(
      ([question, answer]) =>
        `<details>\n<summary>${filled(question, project)}</summary>\n\n${filled(answer, project)}\n\n</details>`,
    )
    .join('\n\n')}`;
}

function closing(project: PlannedProject, r: Random): string {
  const labels = filled(r.pick(closings), project);
  const license = project.license_id.startsWith('LicenseRef')
    ? 'All rights reserved; videos and pictures are welcome.'
    : `License: ${project.license_id}.`;
  const [kin] = catalogue.filter(
    (one) => one.owner === project.owner && one.title !== project.title && one.status === 'approved',
  );
  const more =
    kin && r.next() < 0.4 ? ` By the same hand: [${kin.title}](/project/${slugOf(kin.title)}).` : '';
  return r.next() < 0.3
    ? `<div align="center">\n\n${labels}\n\n<sub>${license}</sub>\n\n</div>`
    : `${labels}${more}\n\n*${license}*`;
}
