import { z } from 'zod';

/** The subject of an event. Every subject but `catalogue` is stored in the id column `<subject>_id`. */
export type Subject =
  | 'catalogue'
  | 'collection'
  | 'node'
  | 'notice'
  | 'organization'
  | 'project'
  | 'report'
  | 'server'
  | 'team'
  | 'thread'
  | 'user'
  | 'version';

/** The id columns of `events`. */
export const idColumns = [
  'user_id',
  'project_id',
  'version_id',
  'team_id',
  'organization_id',
  'collection_id',
  'server_id',
  'node_id',
  'notice_id',
  'thread_id',
  'report_id',
] as const;
export type IdColumn = (typeof idColumns)[number];
export type EventIds = { [column in IdColumn]: string | null };

/**
 * Effect of an event on list pages: none; `members` when something became visible or hidden; `counters` when only
 * counters changed; `all` when everything may differ.
 */
type ListEffect = 'none' | 'members' | 'counters' | 'all';

/**
 * Search documents an event affects: none, its project's, those of all projects of its `owner` (user, team or
 * organization), only `counters`, or those of a bulk `load`.
 */
type SearchEffect = 'none' | 'project' | 'dependents' | 'owner' | 'counters' | 'load';

/** Users affected by an event, for notifications. */
type Audience = 'actor' | 'followers' | 'members' | 'owner' | 'renters' | 'staff' | 'subject';

export interface EventDefinition<S extends Subject = Subject, D extends z.ZodType = z.ZodType> {
  subject: S;
  /** The shape of the event's data. */
  data: D;
  /** Cache tags beyond those of the id columns, such as former slugs that only the event contains. */
  tags: (data: z.output<D>) => string[];
  /** Whether public pages show what the event changed. They show no servers, orders or nodes. */
  pages: boolean;
  lists: ListEffect;
  search: SearchEffect;
  affects: readonly Audience[];
  /** Whether the audit log stores it. Counters that programs update all day are not stored. */
  audited: boolean;
}

const nothing = z.strictObject({}).default({});
export type NoData = typeof nothing;

export type EventOptions<D extends z.ZodType> = Partial<Omit<EventDefinition<Subject, D>, 'subject'>>;

/** Defines an event. Defaults: no data, invalidates only its own tags, affects no users, audited. */
export function event<S extends Subject, D extends z.ZodType = NoData>(
  subject: S,
  options: EventOptions<D> = {},
): EventDefinition<S, D> {
  return {
    subject,
    data: nothing as unknown as D,
    tags: () => [],
    pages: true,
    lists: 'none',
    search: 'none',
    affects: [],
    audited: true,
    ...options,
  };
}
