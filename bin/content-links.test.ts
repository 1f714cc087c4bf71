import { existsSync, readdirSync, readFileSync } from 'node:fs';
import GithubSlugger from 'github-slugger';
import type { Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { newsTopics } from '#content/front-matter.ts';
import { groupPath, groups } from '#site/discovery/docs/reference/groups.ts';
import { projectTypes } from '#site/platform/paths/project-types.ts';

/** Every link in the texts of `content/` leads to a page that exists, and to a heading of it. */
const folder = new URL('../content/', import.meta.url).pathname;
const root = new URL('..', import.meta.url).pathname;

interface Text {
  path: string;
  /** Lines of front matter before the text. */
  before: number;
  tree: Root;
}
const parser = unified().use(remarkParse).use(remarkGfm);
const read = (path: string): Text => {
  const whole = readFileSync(folder + path, 'utf8');
  const front = /^---\n[\s\S]*?\n---\n/.exec(whole)?.[0] ?? '';
  return { path, before: front.split('\n').length - 1, tree: parser.parse(whole.slice(front.length)) };
};
const texts = ['news', 'changelog', 'legal', 'docs'].flatMap((collection) =>
  existsSync(folder + collection)
    ? readdirSync(folder + collection, { recursive: true, encoding: 'utf8' })
        .filter((one) => one.endsWith('.md') && !one.endsWith('README.md'))
        .sort()
        .map((one) => read(`${collection}/${one}`))
    : [],
);

type Node = Root | RootContent;
const nodes = (of: Node): Node[] => [
  of,
  ...('children' in of ? of.children.flatMap((one) => nodes(one)) : []),
];
const wordsOf = (of: Node): string =>
  'value' in of ? of.value : 'children' in of ? of.children.map((one) => wordsOf(one)).join('') : '';
const headingsOf = ({ tree }: Text): Set<string> => {
  const slugger = new GithubSlugger();
  return new Set(
    nodes(tree)
      .filter((one) => one.type === 'heading')
      .map((one) => slugger.slug(wordsOf(one))),
  );
};

/** Addresses that have a page without a parameter, from the files of `site/pages`. */
const pages = readdirSync(`${root}site/pages`, { recursive: true, encoding: 'utf8' })
  .filter((one) => one.endsWith('.astro'))
  .map((one) => `/${one}`.replace(/^\/static\/\[\.\.\.locale\]/, '').replace(/(\/index)?\.astro$/, ''))
  .filter((path) => !path.includes('['));
const known = new Set([
  ...pages,
  '/',
  ...projectTypes.map(({ path }) => path),
  ...groups.map(groupPath),
  ...newsTopics.map((topic) => `/news/topic/${topic}`),
  '/news/feed.atom',
  '/news/feed.rss',
  '/news/feed.json',
]);
/** Addresses that no page has, but the server. */
const machines =
  /^\/(v[23]\/openapi\.json|\.well-known\/security\.txt|readyz|metrics|healthz|license|robots\.txt|sitemap\.xml)$/;

/** The text of `content/` that the page at `path` shows, when it shows one. */
function textAt(path: string): Text | undefined {
  const [, article] = /^\/news\/article\/([^/]+)$/.exec(path) ?? [];
  const [, legal] = /^\/legal\/([^/]+)$/.exec(path) ?? [];
  const file = article ? `news/${article}.md` : legal ? `legal/en-US/${legal}.md` : `${path.slice(1)}.md`;
  const changes = path.replace(/^\/news\/changelog\//, 'changelog/');
  return texts.find((text) => text.path === file || text.path === `${changes}.md`);
}

function problemOf(url: string, from: Text): string | null {
  if (/^(https:|mailto:|\{\{[A-Z_]+\}\})/.test(url)) return null;
  if (/^[a-z]+:/i.test(url)) return 'is no https address';
  const [address = '', anchor] = url.split('#');
  const path = address.split('?')[0]!;
  if (path !== '' && !path.startsWith('/')) return 'must begin with a slash';
  const text = path === '' ? from : textAt(path);
  if (!text && !known.has(path) && !machines.test(path)) return 'leads to no page';
  if (anchor && text && !headingsOf(text).has(anchor)) return 'leads to no heading';
  return null;
}

const problems = (text: Text): string[] =>
  nodes(text.tree).flatMap((one) => {
    if (one.type !== 'link' && one.type !== 'definition') return [];
    const problem = problemOf(one.url, text);
    const line = (one.position?.start.line ?? 1) + text.before;
    return problem ? [`content/${text.path}:${line}: ${one.url} ${problem}`] : [];
  });

test('links in texts lead to pages and headings that exist', () => {
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.flatMap(problems)).toEqual([]);
});

test('a link that leads nowhere is found', () => {
  const from = texts.find(({ path }) => path === 'news/what-cairn-is.md')!;
  const wrong = (url: string) => problemOf(url, from);
  expect(wrong('/news/article/never-written')).toBe('leads to no page');
  expect(wrong('/news/article/security#no-such-heading')).toBe('leads to no heading');
  expect(wrong('#no-such-heading')).toBe('leads to no heading');
  expect(wrong('security.md')).toBe('must begin with a slash');
  expect(wrong('http://example.org')).toBe('is no https address');
  expect(wrong('/news/article/security#your-account')).toBe(null);
  expect(wrong('/mods?q=light')).toBe(null);
});
