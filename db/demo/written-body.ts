import { existsSync, readFileSync } from 'node:fs';

const place = (slug: string) => new URL(`./data/bodies/${slug}.md`, import.meta.url);

/** Whether its description was written by hand, as those of the projects that come first in lists. */
export const hasWrittenBody = (slug: string): boolean => existsSync(place(slug));

/** The description that was written by hand, with `!{picture 1}` where its pictures go. */
export const writtenBody = (slug: string): string => readFileSync(place(slug), 'utf8');
