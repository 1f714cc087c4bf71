import { definitionOf } from '#db/events/catalogue.ts';
import type { Event } from '#db/events/read.ts';

/**
 * How long pages may be old, in milliseconds. Counters may lag behind, lists for a second: with the second search needs,
 * a rename shows within two. The rest waits for its event.
 */
export const ttl = { list: 1_000, counter: 60_000, untagged: 60_000, other: 600_000 } as const;

const isList = (tag: string): boolean => /^(search|list)(:|$)/.test(tag);
const isCounter = (tag: string): boolean => /^counts?(:|$)/.test(tag);

/** Whether pages with this tag show many things, and so may show one that was just hidden. */
export const isListTag = (tag: string): boolean => isList(tag) || isCounter(tag);

/** How long a page that showed `tags` may be shown. The bound of `other` is for words like "3 minutes ago". */
export function ttlOf(tags: readonly string[]): number {
  if (tags.length === 0) return ttl.untagged;
  if (tags.some(isList)) return ttl.list;
  return tags.some(isCounter) ? ttl.counter : ttl.other;
}

/** What events mean for pages that show many things. */
export interface Invalidations {
  /** Everything may have changed. */
  all: boolean;
  /** Something was shown or hidden: lists go at once, and are not kept before search has heard of it. */
  lists: boolean;
  /** Projects whose figures changed. */
  counted: string[];
}

export function invalidationsOf(events: readonly Event[]): Invalidations {
  const meaning: Invalidations = { all: false, lists: false, counted: [] };
  for (const { name, project_id, data } of events) {
    const { lists } = definitionOf(name);
    const { project_ids } = data as { project_ids?: string[] };
    if (lists === 'members' || lists === 'all') meaning.lists = true;
    if (lists === 'all' && !project_ids) meaning.all = true;
    if (lists === 'counters')
      meaning.counted.push(...(project_ids ?? [project_id]).filter((id) => typeof id === 'string'));
  }
  return meaning;
}
