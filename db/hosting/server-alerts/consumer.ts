import type { Mailing } from '../../messages/mail/queue.ts';
import type { EventConsumer } from '../../platform/events/consumer.ts';
import { transactionalConsumer } from '../../platform/events/from-now.ts';
import type { Event } from '../../platform/events/read.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { alertSettings } from './read.ts';
import { type AlertKind, completeRules } from './rules.ts';
import { beginAlert, endAlert } from './tell.ts';

/** What became of a server whose node was lost. */
export interface Loss {
  event_id: number;
  server_id: string;
  outcome: 'rescued' | 'lost';
  /** The time of the backup it was restored from. */
  state_of: string | null;
}

/** Tells who hears of a server of its loss. It says what becomes of the money, so it belongs to `money`. */
export type TellOfLoss = (tx: Db, mailing: Mailing, loss: Loss, now: Date) => Promise<void>;

/** Name of the event cursor of alerts. */
const cursor_name = 'server_alerts';

/** Events that begin an alert, and those that end one. */
const begins: Record<string, AlertKind> = {
  'server.backup_failed': 'backup_failed',
  'server.backup_missed': 'backup_failed',
  'server.schedule_failed': 'schedule_failed',
  'server.schedule_missed': 'schedule_failed',
};
const ends: Record<string, AlertKind> = { 'server.backup_created': 'backup_failed' };

/**
 * Begins alerts of failed and missed backups and schedules, and ends those of backups with the next one that is made: once
 * each, because alerts and cursor are stored in one transaction. Tells likewise what became of servers whose node was lost.
 * Events before the first start count as handled.
 */
export const serverAlertConsumer = (
  context: Mailing & { sql: Pool; now(): Date },
  tellOfLoss: TellOfLoss,
): EventConsumer =>
  transactionalConsumer(context.sql, cursor_name, async (tx, events) => {
    for (const event of events) await handle(tx, { ...context, tellOfLoss }, event, context.now());
  });

async function handle(
  tx: Db,
  mailing: Mailing & { tellOfLoss: TellOfLoss },
  event: Event,
  now: Date,
): Promise<void> {
  const { name, server_id } = event;
  if (!server_id) return;
  if (event.name === 'server.rescued' || event.name === 'server.lost') {
    const outcome = event.name === 'server.rescued' ? 'rescued' : 'lost';
    const state_of = event.name === 'server.rescued' ? event.data.state_of : null;
    return await mailing.tellOfLoss(tx, mailing, { event_id: event.id, server_id, outcome, state_of }, now);
  }
  const [begun, ended] = [begins[name], ends[name]];
  if (ended) await endAlert(tx, { server_id, kind: ended }, now);
  if (!begun) return;
  const { chosen } = await alertSettings(tx, server_id);
  if (completeRules(chosen)[begun].enabled)
    await beginAlert(tx, { server_id, kind: begun, value: null, bound: null }, now);
}
