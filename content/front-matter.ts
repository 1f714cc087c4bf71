import { z } from 'zod';

/** What the front matter of each collection of texts holds; `site/content.config.ts` and the check of the build use it. */

/** `YYYY-MM-DD`; a YAML parser may have made a date of it already. */
const day = z.preprocess(
  (given) => (given instanceof Date ? given.toISOString().slice(0, 10) : given),
  z.iso.date('must be a date that exists, as YYYY-MM-DD'),
);
const line = (min: number, max: number) => z.string().trim().min(min).max(max);

export const newsTopics = [
  'product',
  'performance',
  'search',
  'hosting',
  'self-hosting',
  'api',
  'security',
] as const;
export type NewsTopic = (typeof newsTopics)[number];

/** An article. `image`: the path of its picture, or what Astro makes of it. */
export const newsFrontMatter = <Image extends z.ZodType>(image: Image) =>
  z.strictObject({
    title: line(1, 70),
    summary: line(40, 200),
    date: day,
    /** Ids of `authors.json`. */
    authors: z.array(z.string()).min(1),
    topics: z.array(z.enum(newsTopics)).min(1).max(3),
    image,
    image_alt: line(1, 200),
    featured: z.boolean().default(false),
    /** Paths of this repository that prove what the article says. */
    proof: z.array(z.string()).min(1),
    /** Drafts show in development only. */
    draft: z.boolean().default(false),
  });

/** What changed in one product on one day. */
export const changelogFrontMatter = z.strictObject({
  title: line(1, 70).optional(),
  version: line(1, 32).optional(),
});

export const legalFrontMatter = z.strictObject({
  title: line(1, 70),
  description: line(1, 200),
  version: day,
  history: z.array(z.strictObject({ date: day, change: line(1, 200) })).min(1),
});

/** A page of a handbook. */
export const docsFrontMatter = z.strictObject({
  title: line(1, 70),
  description: line(1, 200),
  order: z.number().int().min(0),
});

/** Who writes articles: `content/authors.json`. `path`: the author's page, of people who have one here. */
export const authorsShape = z.array(
  z.strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/),
    name: line(1, 64),
    kind: z.enum(['team', 'user']),
    path: z.string().startsWith('/').optional(),
  }),
);
export type Author = z.infer<typeof authorsShape>[number];
