import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

/** Articles are true: what proves them exists. Their pictures are drawings that every browser shows alike. */
const folder = new URL('./news/', import.meta.url).pathname;
const root = new URL('..', import.meta.url).pathname;
const articles = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => {
    const [, front = '', text = ''] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    return { file, text, ...(parse(front) as { proof: string[]; image: string }) };
  });
const pictures = readdirSync(join(folder, 'images'));

it('has at least ten articles', () => {
  expect(articles.length).toBeGreaterThanOrEqual(10);
});

it.each(articles)('what proves $file exists', ({ proof }) => {
  expect(proof.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it.each(articles)('$file has 500 to 1,100 words', ({ text }) => {
  const words = text.split(/\s+/).length;
  expect(words).toBeGreaterThan(500);
  expect(words).toBeLessThan(1100);
});

it.each(pictures)(
  '%s is a drawing of 1200 by 630 in at most 12 kB, without text or anything from elsewhere',
  (name) => {
    const path = join(folder, 'images', name);
    const drawing = readFileSync(path, 'utf8');
    expect(statSync(path).size).toBeLessThanOrEqual(12 * 1024);
    expect(drawing).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200" height="630" viewBox="0 0 1200 630">/,
    );
    expect(drawing).not.toMatch(/<(text|image|script|style|foreignObject)|(?:href|src)="(?!#)/);
  },
);

it('has no picture that no article shows, and none twice', () => {
  expect(articles.map(({ image }) => image.replace('./images/', '')).sort()).toEqual(pictures.sort());
});
