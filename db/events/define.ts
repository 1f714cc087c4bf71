import { z } from 'zod';

/** What an event is about. All but `catalogue` name a row by the event's column `<subject>_id`. */
export type Subject =
  | 'catalogue'
  | 'collection'
  | 'node'
  | 'notice'
  | 'organization'
  | 'project'
  | 'server'
  | 'team'
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
] as const;
export type IdColumn = (typeof idColumns)[number];
export type EventIds = { [column in IdColumn]: string | null };

/**
 * What an event does to pages that list many things: nothing; `members` when something became visible or hidden;
 * `counters` when only figures moved; `all` when everything may differ.
 */
export type ListEffect = 'none' | 'members' | 'counters' | 'all';

/**
 * Which search documents an event affects: none, that of its project, that and the ones of its `dependents` when the
 * project became hidden or visible, those of all projects of its `owner` (user, team
 * or organization), only `counters`, or what a bulk `load` brought.
 */
export type SearchEffect = 'none' | 'project' | 'dependents' | 'owner' | 'counters' | 'load';

/** Who is affected by an event, for readers that notify people. */
export type Audience = 'actor' | 'followers' | 'members' | 'owner' | 'renters' | 'staff' | 'subject';

export interface EventDefinition<S extends Subject = Subject, D extends z.ZodType = z.ZodType> {
  subject: S;
  /** The shape of the event's data. */
  data: D;
  /** Cache tags beyond those of the id columns: addresses that only the event still knows. */
  tags: (data: z.output<D>) => string[];
  /** Whether pages show what the event changed. No public page shows servers, orders or nodes. */
  pages: boolean;
  lists: ListEffect;
  search: SearchEffect;
  affects: readonly Audience[];
  /** Whether the audit log keeps it. Figures that programs move all day are not kept. */
  audited: boolean;
}

const nothing = z.strictObject({}).default({});
export type NoData = typeof nothing;

export type EventOptions<D extends z.ZodType> = Partial<Omit<EventDefinition<Subject, D>, 'subject'>>;

/** One entry of the event catalogue. Without options: no data, touches its own tags only, affects nobody, audited. */
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
