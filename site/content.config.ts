import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import {
  changelogFrontMatter,
  docsFrontMatter,
  legalFrontMatter,
  newsFrontMatter,
} from '../content/front-matter.ts';

/** The texts of `content/` that the build turns into pages; a wrong front matter fails the build. */
export const collections = {
  news: defineCollection({
    loader: glob({ base: './content/news', pattern: '*.md' }),
    schema: ({ image }) => newsFrontMatter(image()),
  }),
  changelog: defineCollection({
    loader: glob({ base: './content/changelog', pattern: '*/*.md' }),
    schema: changelogFrontMatter,
  }),
  legal: defineCollection({
    loader: glob({
      base: './content/legal',
      pattern: '*/*.md',
      generateId: ({ entry }) => entry.replace(/\.md$/, ''),
    }),
    schema: legalFrontMatter,
  }),
  docs: defineCollection({
    loader: glob({ base: './content/docs', pattern: '*/*.md' }),
    schema: docsFrontMatter,
  }),
};
