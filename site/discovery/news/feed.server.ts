import type { Feed } from '../../platform/feeds/atom.ts';
import { token } from '../../platform/static-pages/tokens.ts';
import { type Article, allArticles } from './articles.server.ts';
import { articlePath, newsPath } from './paths.ts';

const site = token('SITE_URL');

/** The base of relative addresses in feeds that are prerendered. */
export const feedSite = site;

/** The articles as a feed at `path`; addresses have the token of SITE_URL, which is filled in when it is served. */
export async function newsFeed(path: string): Promise<Feed> {
  const articles = await allArticles();
  return {
    id: `${site}${newsPath}`,
    title: 'Cairn News',
    subtitle: 'What Cairn does, how it works, and what was measured.',
    language: 'en-US',
    self: `${site}${path}`,
    page: `${site}${newsPath}`,
    since: '2026-11-21',
    entries: articles.filter(({ draft }) => !draft).map(entryOf),
  };
}

const entryOf = ({ slug, title, summary, date, authors, topics, entry }: Article) => ({
  // the address is the id: it never changes, and a tag URI would need the host, which the build does not know
  id: site + articlePath(slug),
  url: site + articlePath(slug),
  title,
  summary,
  published: date,
  updated: date,
  author: authors.map(({ name }) => name).join(', '),
  categories: topics,
  html: (entry.rendered?.html ?? '').replaceAll(/(href|src)="\//g, `$1="${site}/`),
});
