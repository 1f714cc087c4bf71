import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { problemLine, problemsOfChangelog } from '#content/changelog-entries.ts';
import {
  authorsShape,
  changelogFrontMatter,
  docsFrontMatter,
  legalFrontMatter,
  newsFrontMatter,
} from '#content/front-matter.ts';

/** The shape of each collection's front matter, by its folder. */
const shapes: Record<string, z.ZodType> = {
  news: newsFrontMatter(z.string()),
  changelog: changelogFrontMatter,
  legal: legalFrontMatter,
  docs: docsFrontMatter,
};
/** A file's name is its address, or with dots for dates of the changelog. */
const nameShape = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** The front matter of a text, in its first group. */
export const frontMatter = /^\uFEFF?---\r?\n([\s\S]*?\r?\n)---(\r?\n|$)/;

/**
 * What is wrong with the texts below `folder` (`content/`): front matter against its shape, addresses that two files
 * have, pictures and authors that do not exist, entries of the changelog. One line each, `content/news/x.md:4: date: what is wrong`, empty when all
 * is well. The build asks it first, because Astro names neither line nor both files.
 */
export function contentProblems(folder: string): string[] {
  const authors = authorsOf(folder);
  const problems = [...authors.problems];
  for (const collection of Object.keys(shapes)) {
    const at = join(folder, collection);
    if (!existsSync(at)) continue;
    const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.md'));
    const addresses = new Map<string, string>();
    for (const file of files.sort()) {
      const path = `content/${collection}/${file}`;
      const address = file.slice(0, -3).toLowerCase();
      const other = addresses.get(address);
      if (other) problems.push(`${path}:1: has the same address as ${other}`);
      addresses.set(address, path);
      if (collection !== 'legal' && !nameShape.test(address.split('/').at(-1) ?? '') && !other)
        problems.push(
          `${path}:1: the file name is the address: use small letters, digits and single hyphens`,
        );
      const text = readFileSync(join(at, file), 'utf8');
      problems.push(...problemsOf({ text, path, file: join(at, file), collection, ids: authors.ids }));
    }
  }
  return [...problems, ...problemsOfChangelog(join(folder, 'changelog')).map(problemLine)];
}

function authorsOf(folder: string): { ids: Set<string>; problems: string[] } {
  const file = join(folder, 'authors.json');
  if (!existsSync(file)) return { ids: new Set(), problems: [] };
  try {
    const read = authorsShape.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (read.success) return { ids: new Set(read.data.map(({ id }) => id)), problems: [] };
    const said = read.error.issues.map(
      ({ path, message }) => `content/authors.json:1: ${path.join('.')}: ${message}`,
    );
    return { ids: new Set(), problems: said };
  } catch (error) {
    return { ids: new Set(), problems: [`content/authors.json:1: ${(error as Error).message}`] };
  }
}

interface Text {
  text: string;
  path: string;
  file: string;
  collection: string;
  ids: ReadonlySet<string>;
}

function problemsOf({ text, path, file, collection, ids }: Text): string[] {
  const raw = frontMatter.exec(text)?.[1];
  const shape = shapes[collection]!;
  if (raw === undefined)
    return shape.safeParse({}).success ? [] : [`${path}:1: has no front matter between two lines of ---`];
  const lines = new LineCounter();
  const document = parseDocument(raw, { lineCounter: lines });
  // the first line of the file is the ---
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;
  if (document.errors.length > 0)
    return document.errors.map(({ pos, message }) => `${path}:${lineAt(pos[0])}: ${message.split('\n')[0]}`);
  const lineOf = (key: PropertyKey | undefined): number => {
    const pair = isMap(document.contents)
      ? document.contents.items.find((one) => String(one.key) === key)
      : undefined;
    const { range } = (pair?.key ?? {}) as { range?: [number, number, number] };
    return range ? lineAt(range[0]) : 1;
  };
  const given: unknown = document.toJS() ?? {};
  const read = shape.safeParse(given);
  const problems = (read.error?.issues ?? []).map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    return `${path}:${lineOf(unknown ?? issue.path[0])}: ${issue.path.join('.') || 'front matter'}: ${issue.message}`;
  });
  const { image, authors } = given as { image?: unknown; authors?: unknown };
  if (collection === 'news' && typeof image === 'string' && !existsSync(join(dirname(file), image)))
    problems.push(`${path}:${lineOf('image')}: image: there is no file ${image} beside it`);
  for (const id of collection === 'news' && Array.isArray(authors) ? authors : [])
    if (!ids.has(String(id)))
      problems.push(`${path}:${lineOf('authors')}: authors: ${id} is not in content/authors.json`);
  return problems;
}
