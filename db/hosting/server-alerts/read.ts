import { webhooksOf } from '../../messages/webhooks/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { findAuthorizedServer } from '../servers/read.ts';
import { whyNotHave } from '../servers/rules.ts';
import { type AlertKind, type AlertRule, completeRules, max_history, type QuietHours } from './rules.ts';
import type { AlertsView, AlertView } from './view.ts';

interface Row {
  rules: Partial<Record<AlertKind, Partial<AlertRule>>>;
  quiet_from: number | null;
  quiet_until: number | null;
  quiet_zone: string | null;
}

/** What was chosen about the alerts of a server, with the defaults of everything else. */
export async function alertSettings(
  db: Db,
  server_id: string,
): Promise<{ chosen: Row['rules']; quiet: QuietHours | null }> {
  const [row] = await db<Row[]>`
    select rules, quiet_from, quiet_until, quiet_zone from server_alert_settings where server_id = ${server_id}`;
  const quiet =
    row && row.quiet_zone !== null
      ? { from: row.quiet_from!, until: row.quiet_until!, zone: row.quiet_zone }
      : null;
  return { chosen: row?.rules ?? {}, quiet };
}

/** The alerts of a server and what was chosen about them. Seeing it is enough; refuses as `whyNotSee`. */
export async function alertsOf(db: Db, actor: Actor, server_id: string, now: Date): Promise<AlertsView> {
  const { facts } = await findAuthorizedServer(db, actor, server_id, now);
  const { chosen, quiet } = await alertSettings(db, server_id);
  const history = await db<AlertView[]>`
    select id, kind, value, bound, began, ended, told from server_alerts
    where server_id = ${server_id} order by began desc, id limit ${max_history}`;
  const webhooks = await webhooksOf(db, { project_id: null, organization_id: null, server_id });
  return {
    rules: completeRules(chosen),
    quiet,
    webhooks: webhooks.map(({ id, name, host, enabled, gave_up, last, problem }) => ({
      ...{ id, name, host, enabled, gave_up, last, problem },
    })),
    history,
    may_change: whyNotHave.options(actor, facts) === null,
  };
}
