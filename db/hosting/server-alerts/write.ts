import { serverWebhookEvents } from '../../messages/webhooks/rules.ts';
import { Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Sealer } from '../../platform/secrets/seal.ts';
import { isTimeZone } from '../../platform/time-zone.ts';
import { lockChangeableServer } from '../servers/locked.ts';
import { whyNotHave } from '../servers/rules.ts';
import { createWebhook, deleteWebhook, turnWebhook } from '../webhook-owners.ts';
import { alertsOf } from './read.ts';
import { type AlertRules, alertKinds, type QuietHours, whyNotRule } from './rules.ts';
import { tellOfAlert } from './tell.ts';
import type { AlertsView } from './view.ts';

/**
 * Chooses which alerts a server has, and when mails of them wait. Refuses as `whyNotHave.options`, `alert_rule_invalid`,
 * `quiet_hours_invalid` and `time_zone_unknown`.
 */
export async function changeAlerts(
  tx: Db,
  actor: Actor,
  { server_id, rules, quiet }: { server_id: string; rules: AlertRules; quiet: QuietHours | null },
  now: Date,
): Promise<AlertsView> {
  await lockChangeableServer(tx, actor, server_id, now, whyNotHave.options);
  for (const kind of alertKinds) {
    const wrong = whyNotRule(kind, rules[kind]);
    if (wrong) throw new Refused('alert_rule_invalid', { kind, ...wrong });
  }
  if (quiet && !isTimeZone(quiet.zone)) throw new Refused('time_zone_unknown', { zone: quiet.zone });
  if (quiet && [quiet.from, quiet.until].some((minute) => minute < 0 || minute > 1_439))
    throw new Refused('quiet_hours_invalid');
  const row = {
    ...{ server_id, rules: tx.json(rules as never), quiet_zone: quiet?.zone ?? null },
    ...{ quiet_from: quiet?.from ?? null, quiet_until: quiet?.until ?? null },
  };
  await tx`
    insert into server_alert_settings ${tx(row)}
    on conflict (server_id) do update set rules = excluded.rules, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until, quiet_zone = excluded.quiet_zone`;
  const data = { enabled: alertKinds.filter((kind) => rules[kind].enabled) };
  await recordEvent(tx, { name: 'server.alerts_changed', actor_id: actor.user_id, server_id, data });
  return await alertsOf(tx, actor, server_id, now);
}

/** Sends a test to every channel, as an alert would go: also into quiet hours. Refuses as `whyNotHave.options`. */
export async function testAlerts(tx: Db, actor: Actor, server_id: string, now: Date): Promise<void> {
  await lockChangeableServer(tx, actor, server_id, now, whyNotHave.options);
  const saying = { alert_id: newId(), kind: 'cpu', state: 'test', value: null, bound: null } as const;
  await tellOfAlert(tx, server_id, saying, now);
}

const owning = (server_id: string) => ({ project_id: null, organization_id: null, server_id });

/**
 * Adds a webhook that hears of the alerts of a server, and gives its secret, which is never shown again. Refuses as
 * `createWebhook`.
 */
export async function addAlertWebhook(
  tx: Db,
  sealer: Sealer,
  actor: Actor,
  { server_id, name, address }: { server_id: string; name: string; address: string },
  now: Date,
): Promise<{ secret: string; alerts: AlertsView }> {
  const input = { name, address, format: 'standard' as const, events: [...serverWebhookEvents] };
  const { id, secret } = await createWebhook(tx, sealer, { actor, owner: owning(server_id), now }, input);
  const data = { webhook_id: id };
  await recordEvent(tx, { name: 'server.alert_webhook_added', actor_id: actor.user_id, server_id, data });
  return { secret, alerts: await alertsOf(tx, actor, server_id, now) };
}

/** Turns a webhook of a server on or off, or removes it. Refuses `webhook_unknown` and as `whyNotHave.options`. */
export async function changeAlertWebhook(
  tx: Db,
  actor: Actor,
  { server_id, webhook_id, to }: { server_id: string; webhook_id: string; to: 'on' | 'off' | 'removed' },
  now: Date,
): Promise<AlertsView> {
  const [own] = await tx`select 1 from webhooks where id = ${webhook_id} and server_id = ${server_id}`;
  if (!own) throw new Refused('webhook_unknown');
  if (to === 'removed') await deleteWebhook(tx, actor, webhook_id);
  else await turnWebhook(tx, { actor, id: webhook_id, enabled: to === 'on' });
  const data = { webhook_id, to };
  await recordEvent(tx, { name: 'server.alert_webhook_changed', actor_id: actor.user_id, server_id, data });
  return await alertsOf(tx, actor, server_id, now);
}
