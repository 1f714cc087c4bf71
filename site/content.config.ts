import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'zod';

/** The texts of `content/` that the build turns into pages; a wrong front matter fails the build. */
const day = z.iso.date().transform((text) => text);
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

export const collections = {
  news: defineCollection({
    loader: glob({ base: './content/news', pattern: '*.md' }),
    schema: ({ image }) =>
      z.strictObject({
        title: line(1, 70),
        summary: line(40, 200),
        date: day,
        authors: z.array(z.string()).min(1),
        topics: z.array(z.enum(newsTopics)).min(1).max(3),
        image: image(),
        image_alt: line(1, 200),
        featured: z.boolean().default(false),
        /** Paths of this repository that prove what the article says. */
        proof: z.array(z.string()).min(1),
        draft: z.boolean().default(false),
      }),
  }),
  changelog: defineCollection({
    loader: glob({ base: './content/changelog', pattern: '*/*.md' }),
    schema: z.strictObject({ title: line(1, 70).optional(), version: line(1, 32).optional() }),
  }),
  legal: defineCollection({
    loader: glob({
      base: './content/legal',
      pattern: '*/*.md',
      generateId: ({ entry }) => entry.replace(/\.md$/, ''),
    }),
    schema: z.strictObject({
      title: line(1, 70),
      description: line(1, 200),
      version: day,
      history: z.array(z.strictObject({ date: day, change: line(1, 200) })).min(1),
    }),
  }),
  docs: defineCollection({
    loader: glob({ base: './content/docs', pattern: '*/*.md' }),
    schema: z.strictObject({ title: line(1, 70), description: line(1, 200), order: z.number().int().min(0) }),
  }),
};
