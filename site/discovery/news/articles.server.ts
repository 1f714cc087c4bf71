import { type CollectionEntry, getCollection } from 'astro:content';
import { readFileSync } from 'node:fs';
import type { ImageMetadata } from 'astro';
import { type Author, authorsShape, type NewsTopic, newsTopics } from '#content/front-matter.ts';
import { type Listed, minutesToRead, newestFirst } from './arrange.ts';
import { articlePath, newsPath, topicPath } from './paths.ts';

type Entry = CollectionEntry<'news'>;

export interface Article extends Listed {
  summary: string;
  authors: Author[];
  image: ImageMetadata;
  image_alt: string;
  draft: boolean;
  minutes: number;
  proof: readonly string[];
  entry: Entry;
}

/** All articles, newest first; drafts only in development. */
export async function allArticles(): Promise<Article[]> {
  const known = authorsShape.parse(JSON.parse(readFileSync('content/authors.json', 'utf8')));
  const entries = await getCollection('news', ({ data }: Entry) => import.meta.env.DEV || !data.draft);
  return newestFirst(
    entries.map((entry: Entry) => {
      const { authors, ...facts } = entry.data;
      return {
        ...facts,
        slug: entry.id,
        authors: authors.map((id: string) => known.find((author) => author.id === id)!),
        minutes: minutesToRead(entry.body ?? ''),
        entry,
      };
    }),
  );
}

/** What the payload of a page tells of an article. */
export const exposed = ({ entry: _, image, ...facts }: Article) => ({ ...facts, image: image.src });

/** The topics that have articles, in the order of their menu. */
export const topicsOf = (articles: readonly Article[]): NewsTopic[] =>
  newsTopics.filter((topic) => articles.some(({ topics }) => topics.includes(topic)));

/** The addresses of all pages about news, without language. */
export async function newsPages(): Promise<string[]> {
  const articles = await allArticles();
  return [newsPath, ...newsTopics.map(topicPath), ...articles.map(({ slug }) => articlePath(slug))];
}
