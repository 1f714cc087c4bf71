import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contentProblems } from './check-content.ts';
import { root } from './install.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-'));
  file('authors.json', '[{ "id": "ada", "name": "Ada", "kind": "team" }]');
  file('news/images/stone.svg', '<svg/>');
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const good = {
  title: 'A stone',
  summary: 'A summary that says in one sentence what stands below.',
  date: '2026-11-22',
  authors: '[ada]',
  topics: '[product]',
  image: './images/stone.svg',
  image_alt: 'A stone',
  proof: '[README.md]',
};
const article = (change: Record<string, string | undefined> = {}): string =>
  `---\n${Object.entries({ ...good, ...change })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}---\n\nText.\n`;
const problems = (change: Record<string, string | undefined>): string[] => {
  file('news/stone.md', article(change));
  return contentProblems(folder);
};

it('finds nothing in the texts of this repository', () => {
  expect(contentProblems(join(root, 'content'))).toEqual([]);
});

it('finds nothing in an article that is as it should be', () => {
  expect(problems({})).toEqual([]);
});

it('names file, line and key of what does not fit', () => {
  expect(problems({ topics: '[weather]' })).toEqual([
    expect.stringMatching(/^content\/news\/stone\.md:6: topics\.0: .*"security"/),
  ]);
  expect(problems({ summary: 'Short.' })).toEqual([
    expect.stringMatching(/^content\/news\/stone\.md:3: summary: /),
  ]);
  expect(problems({ mood: 'sunny' })).toEqual([
    expect.stringMatching(/^content\/news\/stone\.md:10: front matter: .*mood/),
  ]);
});

it('names the file when a key or all front matter is missing', () => {
  expect(problems({ image_alt: undefined })).toEqual([
    expect.stringMatching(/^content\/news\/stone\.md:1: image_alt: /),
  ]);
  file('news/stone.md', 'Only text.\n');
  expect(contentProblems(folder)).toEqual([
    'content/news/stone.md:1: has no front matter between two lines of ---',
  ]);
});

it('names the line where the front matter cannot be read', () => {
  expect(problems({ title: '"open' })).toEqual([expect.stringMatching(/^content\/news\/stone\.md:\d+: /)]);
});

it('refuses a date that does not exist', () => {
  for (const date of ['2026-02-31', '22.11.2026', 'yesterday'])
    expect(problems({ date })).toEqual([
      'content/news/stone.md:4: date: must be a date that exists, as YYYY-MM-DD',
    ]);
});

it('refuses a picture that is missing', () => {
  expect(problems({ image: './images/gone.svg' })).toEqual([
    'content/news/stone.md:7: image: there is no file ./images/gone.svg beside it',
  ]);
});

it('refuses an author that nobody knows', () => {
  expect(problems({ authors: '[ada, bob]' })).toEqual([
    'content/news/stone.md:5: authors: bob is not in content/authors.json',
  ]);
});

it('names both files of one address, and refuses names that cannot be one', () => {
  file('news/Stone.md', article());
  file('news/stone.md', article());
  file('news/two_stones.md', article());
  const found = contentProblems(folder);
  expect(found).toContain('content/news/stone.md:1: has the same address as content/news/Stone.md');
  expect(found).toContainEqual(expect.stringMatching(/^content\/news\/two_stones\.md:1: the file name is/));
});

it('checks the other collections as well', () => {
  file('docs/operators/install.md', '---\ntitle: Install\ndescription: How\norder: first\n---\n');
  file('changelog/web/2026-11-22.md', 'New.\n');
  expect(contentProblems(folder)).toEqual([
    expect.stringMatching(/^content\/docs\/operators\/install\.md:4: order: /),
  ]);
});
