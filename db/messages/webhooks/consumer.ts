import type { EventConsumer } from '../../platform/events/consumer.ts';
import { transactionalConsumer } from '../../platform/events/from-now.ts';
import type { Event } from '../../platform/events/read.ts';
import { derivedId } from '../../platform/id.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import { type WebhookEvent, webhookLimits } from './rules.ts';

/** Name of the event cursor of webhooks. */
const cursor_name = 'webhooks';

/** What an event is called for webhooks, with what only the event knows; null when they are not told. */
function callOf(event: Event): { type: WebhookEvent; data: Record<string, unknown> } | null {
  switch (event.name) {
    case 'project.moved':
      return { type: 'project.status_changed', data: { from: event.data.from, to: event.data.to } };
    case 'project.edited': {
      const { fields = [] } = event.data;
      if (fields.length === 1 && fields[0] === 'gallery') return { type: 'gallery.changed', data: {} };
      return { type: 'project.edited', data: { fields } };
    }
    case 'version.published': {
      const { status, version_number, version_type } = event.data;
      if (status !== 'listed' && status !== 'archived' && status !== 'unlisted') return null;
      return {
        type: 'version.published',
        data: { version: { id: event.version_id, version_number, version_type } },
      };
    }
    case 'version.edited':
      return {
        type: 'version.edited',
        data: { version: { id: event.version_id }, fields: event.data.fields },
      };
    case 'version.deleted':
      return { type: 'version.deleted', data: { version: { id: event.version_id } } };
    case 'team.changed':
      return { type: 'members.changed', data: { user: event.user_id && { id: event.user_id } } };
    default:
      return null;
  }
}

interface Target {
  webhook_id: string;
  events: WebhookEvent[];
  project_id: string | null;
  organization_id: string | null;
  slug: string;
  title: string;
}

/**
 * Queues a call for each webhook that wants to hear of an event: exactly once, because calls and cursor are stored in one
 * transaction and the id of a call follows from event and webhook. Events before the first start count as handled.
 */
export function webhookConsumer({
  sql,
  settings,
}: {
  sql: Pool;
  settings: Pick<Settings, 'SITE_URL'>;
}): EventConsumer {
  return transactionalConsumer(sql, cursor_name, (tx, events) => queueCalls(tx, events, settings.SITE_URL));
}

async function queueCalls(tx: Db, events: readonly Event[], site: string): Promise<void> {
  const told = events.flatMap((event) => {
    const call = callOf(event);
    return call ? [{ event, ...call }] : [];
  });
  if (told.length === 0) return;
  const idsOf = (column: 'project_id' | 'organization_id') => [
    ...new Set(told.flatMap(({ event }) => event[column] ?? [])),
  ];
  const targets = await tx<Target[]>`
    select w.id as webhook_id, w.events, p.id as project_id, null as organization_id, p.slug, p.title
    from projects p join webhooks w on w.project_id = p.id or w.organization_id = p.organization
    where w.enabled and p.id = any(${idsOf('project_id')})
    union all
    select w.id, w.events, null, o.id, o.slug, o.name
    from organizations o join webhooks w on w.organization_id = o.id
    where w.enabled and o.id = any(${idsOf('organization_id')})`;
  const rows = told.flatMap(({ event, type, data }) =>
    targets
      .filter((target) => target.events.includes(type) && isAbout(target, event))
      .map((target) => {
        const { webhook_id } = target;
        const about = subjectOf(target, site);
        const body = JSON.stringify({ type, timestamp: event.created, data: { ...about, ...data } });
        return {
          id: derivedId(`webhook ${event.id} ${webhook_id}`),
          webhook_id,
          type,
          body,
          due: event.created,
          created: event.created,
        };
      }),
  );
  if (rows.length === 0) return;
  await tx`
    insert into webhook_deliveries (id, webhook_id, type, body, due, created)
    select n.id, n.webhook_id, n.type, n.body, n.due, n.created
    from jsonb_to_recordset(${tx.json(rows)}) as n (id text, webhook_id text, type text, body text, due timestamptz, created timestamptz)
    where (select count(*) from webhook_deliveries d
      where d.webhook_id = n.webhook_id and d.state = 'waiting') < ${webhookLimits.waiting}
    on conflict (id) do nothing`;
}

const isAbout = ({ project_id, organization_id }: Target, event: Event): boolean =>
  project_id !== null
    ? event.project_id === project_id
    : event.organization_id === organization_id && event.project_id === null;

function subjectOf({ project_id, organization_id, slug, title }: Target, site: string) {
  return project_id !== null
    ? { project: { id: project_id, slug, title, url: `${site}/project/${project_id}` } }
    : {
        organization: {
          id: organization_id,
          slug,
          name: title,
          url: `${site}/organization/${organization_id}`,
        },
      };
}
