import type { NotificationBodies } from '../../messages/notifications/rules.ts';
import { notify } from '../../messages/notifications/write.ts';
import { queueServerCalls } from '../../messages/webhooks/server-calls.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { alertSettings } from './read.ts';
import { type AlertKind, most_told_a_day, quietUntil } from './rules.ts';

/** What an alert begins with: what was measured, and the bound it crossed. */
interface Beginning {
  server_id: string;
  kind: AlertKind;
  value: number | null;
  bound: number | null;
}

interface Recipients {
  name: string;
  /** The owner first. */
  user_ids: string[];
}

/** Who hears of a server: the owner, and everybody who may change its options. Null when it is being deleted. */
export async function recipientsOf(db: Db, server_id: string): Promise<Recipients | null> {
  const [row] = await db<Recipients[]>`
    select s.name, array[s.owner_id::text] || coalesce((
      select array_agg(m.user_id::text) from server_members m
      where m.server_id = s.id and m.accepted is not null and 'options' = any(m.rights)), '{}') as user_ids
    from servers s where s.id = ${server_id} and s.lifecycle <> 'deprovisioning'`;
  return row ?? null;
}

type Saying = Pick<NotificationBodies['server_alert'], 'alert_id' | 'kind' | 'state' | 'value' | 'bound'>;

/**
 * Tells people of an alert: on the site and by webhooks at once, by mail when no quiet hours are. All alerts of a server
 * are one group, so that what waited for the end of quiet hours is one mail.
 */
export async function tellOfAlert(tx: Db, server_id: string, saying: Saying, now: Date): Promise<void> {
  const found = await recipientsOf(tx, server_id);
  if (!found) return;
  const { quiet } = await alertSettings(tx, server_id);
  const body = { server_id, name: found.name, ...saying };
  const mail_after = quietUntil(quiet, now);
  await notify(tx, found.user_ids, { type: 'server_alert', body }, `server:${server_id}`, mail_after);
  const { state, alert_id, kind, value, bound } = saying;
  const call =
    state === 'test'
      ? ({ type: 'test', data: {}, about: null } as const)
      : ({
          type: `server.alert_${state}`,
          data: { alert: { id: alert_id, kind, value, bound } },
          about: `alert ${alert_id} ${state}`,
        } as const);
  await queueServerCalls(tx, { server_id, name: found.name }, call, now);
}

/** Begins an alert unless the one of this rule goes on. Gives whether it began. */
export async function beginAlert(
  tx: Db,
  { server_id, kind, value, bound }: Beginning,
  now: Date,
): Promise<boolean> {
  const id = newId();
  const [begun] = await tx<{ told: boolean }[]>`
    insert into server_alerts (id, server_id, kind, value, bound, began, told)
    select ${id}, s.id, ${kind}, ${value}, ${bound}, ${now}, (
      select count(*) < ${most_told_a_day} from server_alerts
      where server_id = s.id and kind = ${kind} and told and began > ${new Date(now.getTime() - 86_400_000)})
    from servers s where s.id = ${server_id}
    on conflict (server_id, kind) where ended is null do nothing
    returning told`;
  if (!begun) return false;
  if (begun.told) await tellOfAlert(tx, server_id, { alert_id: id, kind, state: 'began', value, bound }, now);
  return true;
}

/** Ends the alert of a rule if it goes on; `silent`: it is over, but nobody knows that it is well. Gives whether it ended. */
export async function endAlert(
  tx: Db,
  { server_id, kind, value = null }: { server_id: string; kind: AlertKind; value?: number | null },
  now: Date,
  { silent = false } = {},
): Promise<boolean> {
  const [ended] = await tx<{ id: string; told: boolean; bound: number | null }[]>`
    update server_alerts set ended = ${now} where server_id = ${server_id} and kind = ${kind} and ended is null
    returning id, told, bound`;
  if (!ended) return false;
  const { id: alert_id, told, bound } = ended;
  if (told && !silent)
    await tellOfAlert(tx, server_id, { alert_id, kind, state: 'ended', value, bound }, now);
  return true;
}
