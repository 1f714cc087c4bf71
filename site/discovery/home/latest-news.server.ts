import { getCollection } from 'astro:content';
import { newestFirst } from '../news/arrange.ts';
import { articlePath } from '../news/paths.ts';

/** An article as the home page shows it, in English. */
export interface NewsTeaser {
  path: string;
  title: string;
  summary: string;
  /** `YYYY-MM-DD` */
  date: string;
  image: { src: string; width: number; height: number };
}

/** The newest articles; they are part of the build, so this needs no database. Drafts only in development. */
export async function latestNews(limit: number): Promise<NewsTeaser[]> {
  const entries = await getCollection('news', ({ data }) => import.meta.env.DEV || !data.draft);
  return newestFirst(entries.map(({ id, data }) => ({ ...data, slug: id })))
    .slice(0, limit)
    .map(({ slug, title, summary, date, image: { src, width, height } }) => ({
      path: articlePath(slug),
      ...{ title, summary, date },
      image: { src, width, height },
    }));
}
