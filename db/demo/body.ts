import { copiesOf } from '../platform/files/image-copies.ts';
import type { StoredImage } from '../platform/files/pictures.ts';
import { type Random, random } from './art/random.ts';
import { catalogue, slugOf } from './catalogue.ts';
import { draw } from './changelogs.ts';
import { type ComposedTexts, composedTexts } from './composed-texts.ts';
import { settingsOf } from './data/parts.ts';
import { filenameOf } from './files.ts';
import type { PlannedPicture } from './pictures.ts';
import type { PlannedProject } from './plan.ts';
import { traitsOf } from './traits.ts';
import { hasWrittenBody, writtenBody } from './written-body.ts';

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

/**
 * The description of a project in Markdown: hand-written if `data/bodies` has one, else composed of parts that fit its
 * type, with its own features, images and related projects. The same on every installation.
 */
export function bodyOf(project: PlannedProject, pictures: readonly BodyPicture[]): string {
  const { slug } = project;
  const written = hasWrittenBody(slug) ? writtenBody(slug) : composed(project, pictures);
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
  const texts = composedTexts().get(project.slug)!;
  const middle = [
    whatItDoes(project, texts, r),
    pictures.length > 0 && r.next() < 0.75 && renderedAs(r, pictures),
    texts.why && `> ${texts.why}`,
    r.next() < 0.55 && settings(project, r),
    r.next() < 0.45 && table(project),
    r.next() < 0.4 && plans(project, r),
  ];
  return [
    opening(project, texts, r),
    ...middle,
    installed(project, texts),
    company(project),
    texts.questions.length > 0 && answers(texts),
    closing(project, texts, r),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function opening(project: PlannedProject, texts: ComposedTexts, r: Random): string {
  const head = r.next() < 0.3 ? `## About ${project.title}\n\n` : '';
  return `${head}${r.next() < 0.5 ? `**${project.description}**` : project.description}\n\n${texts.opening}`;
}

function whatItDoes(project: PlannedProject, { notes }: ComposedTexts, r: Random): string {
  const heading = r.pick(['What it does', 'In short', 'What you get', 'What is inside']);
  const { features, slug } = project;
  const all = [...features, ...new Set(notes)];
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

/** What loads files of a type, where players have to install it. */
const loaderNames: Record<string, string> = {
  fabric: 'Fabric',
  forge: 'Forge',
  neoforge: 'NeoForge',
  quilt: 'Quilt',
};

function installed(project: PlannedProject, { steps }: ComposedTexts): string {
  const { loaders, needs, versions } = project;
  const file = filenameOf(project, versions.at(-1)!);
  const names = loaders.slice(0, 2).map((name) => loaderNames[name] ?? name);
  const list = steps.map(
    (one, at) => `${at + 1}. ${one.replace('{file}', file).replace('{loader}', names.join(' or '))}`,
  );
  const requests = needs.filter(({ dependency_type }) => dependency_type === 'required');
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

function answers({ questions }: ComposedTexts): string {
  return `## Asked before\n\n${questions
    .map(([question, answer]) => `<details>\n<summary>${question}</summary>\n\n${answer}\n\n</details>`)
    .join('\n\n')}`;
}

function closing(project: PlannedProject, { closing: labels }: ComposedTexts, r: Random): string {
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
