import { z } from 'zod';
import { type EventDefinition, type EventIds, event, type Subject } from './define.ts';
import { hostingEvents } from './hosting.ts';

const id = z.string();
const ids = z.array(id);
const fields = z.strictObject({ fields: z.array(z.string()) });
const tagged =
  (noun: 'project' | 'user') =>
  ({ slug, old_slug, username, old_username }: Record<string, unknown>): string[] =>
    [slug, old_slug, username, old_username].flatMap((text) =>
      typeof text === 'string' ? [`${noun}:${text}`] : [],
    );

/** What a value was and what it is now. */
const changed = <T extends z.ZodType>(value: T) => z.strictObject({ from: value, to: value });

/** What only staff see. */
const forStaff = { pages: false, affects: ['staff'] } satisfies Partial<EventDefinition>;

/** Catalogue events: users, projects, versions, collections. */
const catalogueEvents = {
  'user.created': event('user'),
  'user.renamed': event('user', {
    data: z
      .strictObject({ username: z.string().optional(), old_username: z.string().optional() })
      .default({}),
    tags: tagged('user'),
    search: 'owner',
  }),
  'user.edited': event('user', {
    data: z
      .strictObject({
        password: z.literal(true).optional(),
        fields: z.array(z.string()).optional(),
        role: changed(z.string()).optional(),
        badges: changed(z.int()).optional(),
        token: z.enum(['created', 'edited', 'deleted']).optional(),
        sessions: z.literal('ended').optional(),
        application: z.enum(['created', 'edited', 'secret_rotated', 'deleted']).optional(),
        authorization: z.enum(['granted', 'narrowed', 'revoked']).optional(),
        two_factor: z.enum(['on', 'off', 'codes']).optional(),
        passkey: z.enum(['added', 'renamed', 'removed']).optional(),
        /** Staff verified the address by hand. */
        email: z.literal('vouched').optional(),
      })
      .default({}),
  }),

  'project.created': event('project', { data: z.strictObject({ status: z.string() }), search: 'project' }),
  'project.edited': event('project', {
    data: z
      .strictObject({ fields: z.array(z.string()).optional(), old_slug: z.string().optional() })
      .default({}),
    tags: tagged('project'),
    search: 'project',
    affects: ['members'],
  }),
  // `first`: it is public for the first time
  'project.moved': event('project', {
    data: z.strictObject({ from: z.string(), to: z.string(), first: z.literal(true).optional() }),
    lists: 'members',
    search: 'dependents',
    affects: ['members', 'followers'],
  }),
  'project.review_locked': event('project', {
    data: z.strictObject({ change: z.enum(['acquired', 'overridden', 'released']) }),
    ...forStaff,
  }),
  'project.traces_decided': event('project', {
    data: z.strictObject({ traces: z.int() }),
    ...forStaff,
  }),
  'project.attributed': event('project', { pages: false, affects: ['members', 'staff'] }),
  'project.examined': event('project', {
    data: z.strictObject({ verdict: z.enum(['safe', 'unsafe']) }),
    ...forStaff,
  }),
  // `takedown_id` is a row of takedowns
  'project.takedown_changed': event('project', {
    data: z.strictObject({ takedown_id: id, state: z.enum(['placed', 'ended']) }),
    pages: false,
    affects: ['members'],
  }),
  'project.deleted': event('project', {
    data: z.strictObject({ slug: z.string().optional() }).default({}),
    tags: tagged('project'),
    lists: 'members',
    search: 'dependents',
    affects: ['members'],
  }),
  'project.counted': event('catalogue', {
    data: z.strictObject({ project_ids: ids }),
    lists: 'counters',
    search: 'counters',
    audited: false,
  }),

  // `announcement_id` is a row of analytics_events
  'announcement.changed': event('catalogue', {
    data: z.strictObject({ announcement_id: id, change: z.enum(['created', 'edited', 'deleted']) }),
    ...forStaff,
  }),

  // `income_id` is a row of revenue_incomes
  'income.entered': event('catalogue', {
    data: z.strictObject({
      income_id: id,
      day: z.string(),
      source: z.string(),
      amount_minor: z.int(),
    }),
    ...forStaff,
  }),

  // `payout_id` is a row of payouts
  'payout.requested': event('user', {
    data: z.strictObject({ payout_id: id, amount_minor: z.int(), provider: z.string() }),
    pages: false,
    affects: ['subject'],
  }),
  'payout.settled': event('user', {
    data: z.strictObject({ payout_id: id, state: z.string(), failure: z.string().nullable() }),
    pages: false,
    affects: ['subject'],
  }),
  'payout.decided': event('user', {
    data: z.strictObject({ payout_id: id, state: z.string(), reason: z.string() }),
    ...forStaff,
  }),
  'payout.retried': event('user', {
    data: z.strictObject({ payout_id: id }),
    ...forStaff,
  }),
  'taxform.signed': event('user', {
    data: z.strictObject({ form_type: z.string() }),
    pages: false,
    affects: ['subject'],
  }),
  'taxform.shown': event('user', {
    data: z.strictObject({ form_type: z.string() }),
    ...forStaff,
  }),

  'version.published': event('version', {
    data: z.strictObject({ status: z.string(), version_number: z.string(), version_type: z.string() }),
    search: 'project',
    affects: ['members', 'followers'],
  }),
  'version.edited': event('version', { data: fields, search: 'project', affects: ['members'] }),
  'version.scanned': event('version', {
    data: z.strictObject({ is_held: z.boolean() }),
    affects: ['staff'],
    audited: false,
  }),
  'version.held': event('version', {
    data: z.strictObject({ reason: z.enum(['review', 'attribution', 'unread']) }),
    search: 'project',
    affects: ['members', 'staff'],
  }),
  'version.released': event('version', { search: 'project', affects: ['members', 'staff'] }),
  'version.deleted': event('version', { search: 'project', affects: ['members'] }),

  // search shows no members but the owner: `owner: false` says that it stayed the same
  'team.changed': event('team', {
    data: z.strictObject({ owner: z.boolean().optional() }).default({}),
    search: 'owner',
    affects: ['members'],
  }),
  // of the fields, search shows the name; `project_ids` are those that came or went, the others stay as they are
  'organization.edited': event('organization', {
    data: z.strictObject({ project_ids: ids.optional(), fields: z.array(z.string()).optional() }).default({}),
    tags: ({ project_ids = [] }) => project_ids.map((one) => `project:${one}`),
    search: 'owner',
    affects: ['members'],
  }),

  'organization.created': event('organization', { affects: ['members'] }),
  'organization.deleted': event('organization', {
    data: z.strictObject({ slug: z.string(), project_ids: ids }),
    tags: ({ slug, project_ids }) => [`organization:${slug}`, ...project_ids.map((one) => `project:${one}`)],
    search: 'owner',
    affects: ['members'],
  }),
  'user.deleted': event('user', {
    data: z.strictObject({ username: z.string(), project_ids: ids }),
    tags: ({ username, project_ids }) => [`user:${username}`, ...project_ids.map((one) => `project:${one}`)],
    lists: 'members',
  }),

  'user.related': event('user', {
    data: z.strictObject({
      change: z.enum(['requested', 'accepted', 'removed', 'blocked', 'unblocked', 'followed', 'unfollowed']),
    }),
    pages: false,
    affects: ['subject'],
    audited: false,
  }),
  'user.preferred': event('user', { pages: false, affects: ['subject'], audited: false }),
  'user.suspended': event('user', {
    data: z.strictObject({ reason: z.string(), until: z.string().nullable() }),
    pages: false,
    affects: ['subject'],
  }),
  'user.trusted': event('user', {
    data: z.strictObject({ is_allowed: z.boolean() }),
    ...forStaff,
  }),
  'user.restored': event('user', { pages: false, affects: ['subject'] }),
  /** Somebody else may have a name that was kept for who had it. */
  'catalogue.name_released': event('catalogue', {
    data: z.strictObject({ kind: z.string(), name: z.string(), reason: z.string() }),
    ...forStaff,
  }),
  'user.noted': event('user', { pages: false, affects: ['staff'] }),
  'organization.noted': event('organization', { pages: false, affects: ['staff'] }),

  'report.created': event('report', { pages: false, affects: ['staff'] }),
  'report.edited': event('report', {
    data: fields.extend({ to: z.enum(['closed', 'open', 'decided']).optional() }),
    ...{ pages: false, affects: ['owner'] },
  }),
  'report.deleted': event('report', { pages: false, affects: ['owner'] }),
  'thread.written': event('thread', {
    data: z.strictObject({ message_id: id }),
    pages: false,
    affects: ['members'],
    audited: false,
  }),
  'thread.message_deleted': event('thread', {
    data: z.strictObject({ message_id: id }),
    pages: false,
    affects: ['members'],
  }),

  'collection.created': collectionEvent(),
  'collection.edited': collectionEvent(),
  'collection.deleted': collectionEvent(),

  'catalogue.versions_added': event('catalogue', {
    data: z.strictObject({ versions: z.array(z.string()) }),
    lists: 'all',
    audited: false,
  }),

  'catalogue.code_judged': event('catalogue', {
    data: z.strictObject({ key: z.string(), verdict: z.enum(['safe', 'unsafe', 'pending']) }),
    ...forStaff,
  }),
  'catalogue.files_judged': event('catalogue', {
    data: z.strictObject({ files: z.int() }),
    ...forStaff,
  }),
  'catalogue.review_locks_cleared': event('catalogue', {
    data: z.strictObject({ locks: z.int() }),
    ...forStaff,
  }),
  'catalogue.loaded': event('catalogue', {
    data: z.strictObject({ projects: z.int().optional(), project_ids: ids.optional() }).default({}),
    tags: ({ project_ids = [] }) => project_ids.map((one) => `project:${one}`),
    lists: 'all',
    search: 'load',
    audited: false,
  }),
} as const;

function collectionEvent() {
  return event('collection', {
    data: z.strictObject({ owner_id: id, fields: z.array(z.string()).optional() }),
    tags: ({ owner_id }) => [`user:${owner_id}`],
  });
}

/**
 * All domain events. Each entry declares its subject, the shape of its data, the pages and search documents it
 * affects, the users it affects, and whether the audit log stores it. It gives writers and consumers their types.
 * Source: decisions §5.2.
 */
const eventCatalogue = { ...catalogueEvents, ...hostingEvents } as const;

type Catalogue = typeof eventCatalogue;
export type EventName = keyof Catalogue;
export const eventNames = Object.keys(eventCatalogue) as EventName[];

type SubjectId<S extends Subject> = S extends 'catalogue' ? unknown : { [column in `${S}_id`]: string };
type Input<N extends EventName> = z.input<Catalogue[N]['data']>;
type Data<N extends EventName> = undefined extends Input<N> ? { data?: Input<N> } : { data: Input<N> };

/** An event to record: name, id of its subject, data, and actor (none: the system). */
export type NewEvent = {
  [N in EventName]: { name: N; actor_id?: string | null } & Partial<EventIds> &
    SubjectId<Catalogue[N]['subject']> &
    Data<N>;
}[EventName];

/** The data of an event as consumers receive it. */
export type EventData<N extends EventName> = z.output<Catalogue[N]['data']>;

/** The definition of an event by its name, with types erased. */
export const definitionOf = (name: EventName): EventDefinition => eventCatalogue[name] as EventDefinition;
