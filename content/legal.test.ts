import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { legalFrontMatter } from './front-matter.ts';
import { TranslationFiles } from './translation-files.ts';

const folder = new URL('./legal/', import.meta.url).pathname;
const root = new URL('..', import.meta.url).pathname;
const source = 'en-US';
const pages = readdirSync(`${folder}${source}`).sort();
const translations = readdirSync(folder).filter((tag) => tag !== source);

const runtime = `${root}db/platform/runtime/`;
/** The code of what an operator sets, and of what follows from it. */
const settings = ['env.ts', ...readdirSync(`${runtime}settings`).map((file) => `settings/${file}`)]
  .map((file) => readFileSync(runtime + file, 'utf8'))
  .join('\n');

const files = new TranslationFiles(`${root}content`, {});
const behind = new Map(
  translations.map((tag) => {
    const { lacking, outdated } = files.state(tag);
    return [tag, new Set([...lacking, ...outdated])] as const;
  }),
);
/** Whether there is a translation, made from the English text of today; others wait for their translators. */
const isCurrent = (tag: string, page: string): boolean => !behind.get(tag)!.has(`legal/${page}`);

interface Text {
  matter: unknown;
  body: string;
}
function text(tag: string, page: string): Text {
  const [, matter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(read(tag, page)) ?? [];
  return { matter: parse(matter), body };
}
const read = (tag: string, page: string) => readFileSync(`${folder}${tag}/${page}`, 'utf8');

/** The kinds of the lines of a text, in order: its headings, list entries, table rows and paragraphs. */
const outline = (body: string): string[] =>
  body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [start = ''] = /^(#+ |- |\d+\. |<!--.*|\|)/.exec(line) ?? [];
      return start === '|' ? `|${line.split('|').length}` : start;
    });
const tokens = (body: string): string[] =>
  [...body.matchAll(/\{\{(\w+)\}\}|<!--.*?-->/g)].map(([one]) => one).sort();
const links = (body: string): string[] => [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to!).sort();

test.each(pages)('%s has the same parts in every translation of its current text', (page) => {
  const english = text(source, page);
  for (const tag of translations.filter((tag) => isCurrent(tag, page))) {
    const other = text(tag, page);
    expect(outline(other.body), tag).toEqual(outline(english.body));
    expect(tokens(other.body), tag).toEqual(tokens(english.body));
    expect(links(other.body), tag).toEqual(links(english.body));
    const [one, two] = [english, other].map(({ matter }) => legalFrontMatter.parse(matter));
    expect(two!.version, tag).toBe(one!.version);
    expect(
      two!.history.map(({ date }) => date),
      tag,
    ).toEqual(one!.history.map(({ date }) => date));
    expect(two!.title, tag).not.toBe(one!.title);
  }
});

describe.each([source, ...translations])('%s', (tag) => {
  const own_pages = readdirSync(`${folder}${tag}`).sort();

  test.each(own_pages)('%s states its version, newest change first', (page) => {
    const { version, history } = legalFrontMatter.parse(text(tag, page).matter);
    const dates = history.map(({ date }) => date);
    expect(version).toBe(dates[0]);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test.each(own_pages)('%s uses only settings that exist, and closes every condition', (page) => {
    const { body } = text(tag, page);
    for (const [, name] of body.matchAll(/(?:\{\{|<!--\/?(?:when|unless) )(\w+)/g))
      expect(settings).toMatch(new RegExp(`^ +${name}[:,]`, 'm'));
    const open: string[] = [];
    for (const [, end, what] of body.matchAll(/<!--(\/?)((?:when|unless) \w+)-->/g)) {
      if (end) expect(open.pop()).toBe(what);
      else open.push(what!);
    }
    expect(open).toEqual([]);
  });

  test.each(own_pages)('%s links only to legal pages and addresses that exist', (page) => {
    const known = (to: string) =>
      ['/license', '/.well-known/security.txt'].includes(to) ||
      existsSync(`${folder}${source}/${to.replace(/^\/legal\//, '')}.md`);
    expect(links(text(tag, page).body).filter((to) => !known(to))).toEqual([]);
  });
});

test.each(pages)('%s has the signs of its language', (page) => {
  const plain = (tag: string) =>
    existsSync(`${folder}${tag}/${page}`) ? read(tag, page).replace(/<[^>]*>/g, '') : '';
  expect(plain('en-US')).not.toMatch(/['"„]/);
  expect(plain('de-DE')).not.toMatch(/["”]/);
  expect(plain('ar-SA')).not.toMatch(/["“”„]|\p{Script=Arabic}[,;?]/u);
});
