import { statusTraits } from '#db/catalogue/projects/rules.ts';
import { definitionOf } from '#db/platform/events/catalogue.ts';
import type { Event } from '#db/platform/events/read.ts';

/**
 * How long pages are cached, in milliseconds. Counters may lag behind, lists for a second: together with the second
 * that search needs, a rename is visible within two. Everything else is invalidated by events.
 */
export const ttl = { list: 1_000, counter: 60_000, untagged: 60_000, other: 600_000 } as const;

const isList = (tag: string): boolean => /^(search|list)(:|$)/.test(tag);
const isCounter = (tag: string): boolean => /^counts?(:|$)/.test(tag);

/** Whether pages with this tag list many things, and so may contain one that was just hidden. */
export const isListTag = (tag: string): boolean => isList(tag) || isCounter(tag);

/**
 * The tag of lists that have a tag `project:ID` for every project on them. When one is hidden, the others only expire: they
 * show nothing of it, so they may be served as saved copies.
 */
export const all_tagged = 'all-tagged';

/** How long a page with these tags may be served. `other` bounds the age of phrases like "3 minutes ago". */
export function ttlOf(tags: readonly string[]): number {
  if (tags.length === 0) return ttl.untagged;
  if (tags.some(isList)) return ttl.list;
  return tags.some(isCounter) ? ttl.counter : ttl.other;
}

/** What events invalidate beyond their own tags. */
export interface Invalidations {
  /** Everything may have changed. */
  all: boolean;
  /**
   * Something may have become hidden: lists are invalidated at once, and not cached before the search index has caught
   * up.
   */
  lists: boolean;
  /** What became visible or hidden is named by the tags of the events. */
  named: boolean;
  /** Something that anybody may see changed, besides counters. */
  things: boolean;
  /** Projects whose counters changed. */
  counted: string[];
}

/**
 * Whether an event only made something visible. Lists that do not have it yet show nothing that is hidden: they expire
 * within a second, so that many approvals in a row do not make every visitor wait for a list.
 */
function onlyShows({ name, data }: Event): boolean {
  if (name !== 'project.moved') return false;
  return Object.entries(statusTraits).some(([status, { approved }]) => status === data.from && !approved);
}

export function invalidationsOf(events: readonly Event[]): Invalidations {
  const meaning: Invalidations = {
    ...{ all: false, lists: false, named: true, things: false },
    counted: [],
  };
  for (const event of events) {
    const { name, project_id, data } = event;
    const { lists, pages } = definitionOf(name);
    if (pages && lists !== 'counters') meaning.things = true;
    const { project_ids } = data as { project_ids?: string[] };
    if (lists === 'all' || (lists === 'members' && !onlyShows(event))) meaning.lists = true;
    if (lists === 'all') meaning.named = false;
    if (lists === 'all' && !project_ids) meaning.all = true;
    if (lists === 'counters')
      meaning.counted.push(...(project_ids ?? [project_id]).filter((id) => typeof id === 'string'));
  }
  return meaning;
}
