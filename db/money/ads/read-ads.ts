import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Ad, AdFile } from './network.ts';
import { adPlaces, type Showable } from './rules.ts';

/** An ad of the operator. */
export type OwnAd = Ad & Showable;

const most_ads = 200;
const largest_picture = 200 * 1024;
const longest_text = 200;
const types: Record<string, string> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

const day = z.iso.date('must be a date that exists, as YYYY-MM-DD');
const line = (max: number) => z.string().trim().min(1).max(max);
const side = z.number().int().min(1).max(4000);
const shape = z
  .strictObject({
    title: line(60),
    link: z
      .string()
      .max(2000)
      .refine(
        (text) => /^\/(?![/\\])/.test(text) || (/^https:\/\//.test(text) && URL.canParse(text)),
        'must be an address that begins with https://, or a path of this site that begins with /',
      ),
    image: z
      .string()
      .regex(/^[\w.-]+\.\w+$/, 'must be the name of a file beside it')
      .optional(),
    width: side.optional(),
    height: side.optional(),
    image_alt: line(150).optional(),
    from: day.optional(),
    until: day.optional(),
    weight: z.number().int().min(1).max(1000).default(1),
    places: z
      .array(z.enum(adPlaces))
      .min(1)
      .default([...adPlaces]),
  })
  .superRefine((given, context) => {
    const say = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const { image, from, until } = given;
    for (const key of ['width', 'height', 'image_alt'] as const)
      if (image !== undefined && given[key] === undefined)
        say('image', `needs ${key} too, so that nothing moves and everybody knows what it shows`);
    if (from !== undefined && until !== undefined && until < from) say('until', 'is before from');
  });

/** What the files of a folder of ads say. */
export interface OwnAds {
  ads: OwnAd[];
  /** By their path on this site. */
  files: Map<string, AdFile>;
  /** One line each, `spring.md:4: until: what is wrong`. */
  problems: string[];
}

/**
 * Reads the ads of a folder: one Markdown file each, with front matter and a text; pictures beside them. README.md is no
 * ad. Gives every problem with file and line, and the ads that have none.
 */
export function readAds(folder: string): OwnAds {
  const found: OwnAds = { ads: [], files: new Map(), problems: [] };
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
    : [];
  if (names.length > most_ads) found.problems.push(`has ${names.length} ads: ${most_ads} is the most`);
  for (const name of names.sort().slice(0, most_ads)) {
    const { ad, problems } = readAd(folder, name, found.files);
    found.problems.push(...problems.map((problem) => `${name}:${problem}`));
    if (ad) found.ads.push(ad);
  }
  return found;
}

function readAd(
  folder: string,
  name: string,
  files: Map<string, AdFile>,
): { ad: OwnAd | null; problems: string[] } {
  const refuse = (...problems: string[]) => ({ ad: null, problems });
  const id = basename(name, '.md');
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(id))
    return refuse('1: the file name names the ad: use small letters, digits and hyphens');
  const text = readFileSync(join(folder, name), 'utf8');
  const [, raw, body = ''] = /^\uFEFF?---\r?\n([\s\S]*?\r?\n)---\r?\n?([\s\S]*)$/.exec(text) ?? [];
  if (raw === undefined) return refuse('1: has no front matter between two lines of ---');
  const lines = new LineCounter();
  const document = parseDocument(raw, { lineCounter: lines });
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;
  if (document.errors.length > 0)
    return refuse(
      ...document.errors.map(({ pos, message }) => `${lineAt(pos[0])}: ${message.split('\n')[0]}`),
    );
  const lineOf = (key: PropertyKey | undefined): number => {
    const items = isMap(document.contents) ? document.contents.items : [];
    const pair = items.find((one) => String(one.key) === key);
    const { range } = (pair?.key ?? {}) as { range?: [number, number, number] };
    return range ? lineAt(range[0]) : 1;
  };
  const read = shape.safeParse(document.toJS() ?? {});
  const words = body.trim().replace(/\s+/g, ' ');
  const problems = (read.error?.issues ?? []).map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    return `${lineOf(unknown ?? issue.path[0])}: ${issue.path.join('.') || 'front matter'}: ${issue.message}`;
  });
  if (words === '' || words.length > longest_text)
    problems.push(
      `${lineAt(raw.length)}: the text below the front matter needs 1 to ${longest_text} characters`,
    );
  if (!read.success || problems.length > 0) return refuse(...problems);
  const { image, width = 0, height = 0, image_alt: alt = '', from = null, until = null, ...rest } = read.data;
  const picture = image === undefined ? null : readPicture(folder, image);
  if (typeof picture === 'string') return refuse(`${lineOf('image')}: image: ${picture}`);
  if (picture) files.set(picture.path, picture.file);
  const shown = picture && { path: picture.path, width, height, alt };
  return { ad: { id, text: words, from, until, picture: shown, ...rest }, problems: [] };
}

/** A picture with the path that it gets, which changes with its bytes; what is wrong with it otherwise. */
function readPicture(folder: string, image: string): { path: string; file: AdFile } | string {
  const ending = extname(image).toLowerCase();
  const type = types[ending];
  if (!type) return `must end in ${Object.keys(types).join(', ')}`;
  const path = join(folder, image);
  if (!existsSync(path)) return `there is no file ${image} beside it`;
  const { size } = statSync(path);
  if (size > largest_picture)
    return `${image} has ${Math.ceil(size / 1024)} kB: make it smaller than ${largest_picture / 1024} kB`;
  const bytes = readFileSync(path);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { path: `/ads/${hash}${ending}`, file: { type, bytes } };
}
