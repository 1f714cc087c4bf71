import type { NewsTopic } from '#content/front-matter.ts';

/** What the order of articles and the choice of related ones depend on. */
export interface Listed {
  /** The last part of its address. */
  slug: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  topics: readonly NewsTopic[];
  featured: boolean;
}

/** Newest first; on one day the featured one, then by title. */
export const newestFirst = <Article extends Listed>(articles: readonly Article[]): Article[] =>
  [...articles].sort(
    (a, b) =>
      b.date.localeCompare(a.date) ||
      Number(b.featured) - Number(a.featured) ||
      a.title.localeCompare(b.title, 'en'),
  );

/** The article at the top of the list and the others; the newest one when none is featured, null without articles. */
export function withFeatured<Article extends Listed>(
  articles: readonly Article[],
): { first: Article | null; others: Article[] } {
  const sorted = newestFirst(articles);
  const first = sorted.find(({ featured }) => featured) ?? sorted[0] ?? null;
  return { first, others: sorted.filter((article) => article !== first) };
}

/** Articles that share a topic with `article`: those that share most first, then the newest. */
export function relatedTo<Article extends Listed>(
  article: Listed,
  all: readonly Article[],
  limit = 3,
): Article[] {
  const shared = ({ topics }: Listed) => topics.filter((topic) => article.topics.includes(topic)).length;
  return newestFirst(all)
    .filter((other) => other.slug !== article.slug && shared(other) > 0)
    .sort((a, b) => shared(b) - shared(a))
    .slice(0, limit);
}

/** The articles before and after `article` in time, null at the ends. */
export function neighborsOf<Article extends Listed>(
  article: Listed,
  all: readonly Article[],
): { earlier: Article | null; later: Article | null } {
  const sorted = newestFirst(all);
  const at = sorted.findIndex(({ slug }) => slug === article.slug);
  return { earlier: sorted[at + 1] ?? null, later: at > 0 ? sorted[at - 1]! : null };
}

const words_per_minute = 220;

/** How many minutes a text takes to read, at least one; code is not counted. */
export function minutesToRead(markdown: string): number {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}’'.,-]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / words_per_minute));
}

/** Headings of the table of contents: those of the second level, from four on. */
export function contentsOf<Heading extends { depth: number }>(headings: readonly Heading[]): Heading[] {
  const parts = headings.filter(({ depth }) => depth === 2);
  return parts.length >= 4 ? parts : [];
}
