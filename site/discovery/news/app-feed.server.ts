import { getImage } from 'astro:assets';
import { token } from '../../platform/static-pages/tokens.ts';
import { allArticles } from './articles.server.ts';
import { articlePath } from './paths.ts';

/** Maximum articles that an app shows. Source: specification §9. */
const max_articles = 4;

/** An article as an app shows it; addresses are absolute. */
interface AppArticle {
  title: string;
  summary: string;
  /** `2026-11-22`. */
  date: string;
  link: string;
  /** A PNG of 1,200 by 630 pixels. */
  thumbnail: string;
  thumbnail_alt: string;
}

/** The newest articles for the first page of an app. */
export async function appNews(): Promise<{ articles: AppArticle[] }> {
  const site = token('SITE_URL');
  const newest = (await allArticles()).filter(({ draft }) => !draft).slice(0, max_articles);
  const articles = newest.map(async ({ slug, title, summary, date, image, image_alt }) => {
    const { src } = await getImage({ src: image, format: 'png', width: 1200, height: 630 });
    return {
      title,
      summary,
      date,
      link: site + articlePath(slug),
      thumbnail: site + src,
      thumbnail_alt: image_alt,
    };
  });
  return { articles: await Promise.all(articles) };
}
