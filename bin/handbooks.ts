import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** A page of a handbook as it is written, for tests of what it says. */
interface WrittenPage {
  /** Below the root of the repository. */
  path: string;
  address: string;
  order: number;
  /** Without its front matter. */
  body: string;
  /** The fragments of its headings. */
  anchors: string[];
}

/** The pages in `content/docs`, in the order of each handbook. */
export function handbookPages(): WrittenPage[] {
  const folder = join(root, 'content/docs');
  return readdirSync(folder)
    .sort()
    .flatMap((handbook) =>
      readdirSync(join(folder, handbook))
        .filter((name) => name.endsWith('.md'))
        .map((name) => {
          const [, matter = '', body = ''] =
            /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(folder, handbook, name), 'utf8')) ??
            [];
          return {
            path: `content/docs/${handbook}/${name}`,
            address: `/docs/${handbook}/${name.replace(/\.md$/, '')}`,
            order: Number(/^order: (\d+)$/m.exec(matter)?.[1]),
            body,
            anchors: [...withoutCode(body).matchAll(/^#{2,6} (.+)$/gm)].map(([, text]) => fragmentOf(text!)),
          };
        })
        .sort((a, b) => a.order - b.order),
    );
}

const withoutCode = (body: string): string => body.replace(/^ *(`{3,})[\s\S]*?^ *\1 *$/gm, '');

/** As GitHub makes it, without counting repeated headings. */
const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The shell blocks of a page, without the indentation of a list; `runnable`: a test runs them. */
export function shellBlocks(body: string): Array<{ text: string; runnable: boolean }> {
  return [...body.matchAll(/^( *)```sh( runnable)?\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', runnable, text = '']) => ({
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      runnable: runnable !== undefined,
    }),
  );
}
