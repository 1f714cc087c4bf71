import { randomUUID } from 'node:crypto';
import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { serversById } from '../read.ts';
import { whyNotHave, whyNotOperate } from '../rules.ts';
import { addBackup, type BackupSettings } from './begin.ts';
import { retentionOf } from './read.ts';
import { nextBackupDue } from './retention.ts';
import { rotateBackups } from './settle.ts';
import type { RetentionRules } from './view.ts';

/** A scheduled backup waits so long while another one is in progress, and for its turn on its node. */
const later_ms = 5 * 60_000;
const turn_ms = 3_600_000;

/**
 * Sets when backups of a server are made by themselves, and which of them stay; those that exceed the rules go at the next
 * rotation. Refuses as `whyNotHave.backups`.
 */
export async function setRetention(
  db: Db,
  actor: Actor,
  { server_id, retention }: { server_id: string; retention: RetentionRules },
  now: Date,
): Promise<RetentionRules> {
  await lockChangeableServer(db, actor, server_id, now, whyNotHave.backups);
  const before = await retentionOf(db, server_id);
  const { every_hours } = retention;
  const due = every_hours === null ? null : nextBackupDue(now, every_hours, Math.random());
  // a change of what stays does not put the next one off
  const moves = before.every_hours !== every_hours;
  const row = { server_id, ...retention, due };
  await db`
    insert into server_backup_rules ${db(row)}
    on conflict (server_id) do update set ${db(moves ? { ...retention, due } : retention)}`;
  if (moves)
    await recordEvent(db, {
      name: 'server.backup_rules_changed',
      actor_id: actor.user_id,
      server_id,
      data: { every_hours },
    });
  return retention;
}

/** Servers with a backup that is due, longest waiting first. */
export async function dueServers(db: Db, now: Date, limit: number): Promise<string[]> {
  const found = await db<{ server_id: string }[]>`
    select server_id from server_backup_rules where due <= ${now} order by due, server_id limit ${limit}`;
  return found.map(({ server_id }) => server_id);
}

/**
 * Begins the scheduled backup of a server if it is due. One whose node is offline, or that has no room, is missed, and an
 * event says so; the next one is due after the whole interval. A server that is suspended or not installed has none.
 */
export async function backUpDue(
  sql: Pool,
  server_id: string,
  settings: BackupSettings,
  now: Date,
): Promise<'begun' | 'missed' | 'later' | 'none'> {
  return await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const [rules] = await tx<{ every_hours: number }[]>`
      select every_hours from server_backup_rules where server_id = ${server_id} and due <= ${now}`;
    if (!rules) return 'none';
    const moveDue = (due: Date) =>
      tx`update server_backup_rules set due = ${due} where server_id = ${server_id}`;
    await moveDue(nextBackupDue(now, rules.every_hours, Math.random()));
    const [server] = await serversById(tx, [server_id], now);
    const why = server ? whyNotOperate(server.facts) : 'server_not_found';
    if (!server || (why && why !== 'server_unreachable')) return 'none';
    try {
      assertAllowed(why);
      const wanted = {
        op_id: randomUUID(),
        reason: 'schedule',
        actor_id: null,
        timeout_ms: turn_ms,
      } as const;
      await addBackup(tx, server, wanted, settings, now);
      return 'begun';
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'backup_in_progress' || error.code === 'server_busy') {
        await moveDue(new Date(now.getTime() + later_ms));
        return 'later';
      }
      await recordEvent(tx, { name: 'server.backup_missed', server_id, data: { error: error.code } });
      return 'missed';
    }
  });
}

/** Servers with automated backups or exports. */
export async function serversToRotate(db: Db, after: string, limit: number): Promise<string[]> {
  const found = await db<{ server_id: string }[]>`
    select distinct server_id from server_backups
    where reason <> 'user' and state in ('done', 'unchanged') and server_id > ${after} order by server_id limit ${limit}`;
  return found.map(({ server_id }) => server_id);
}

/** Deletes automated backups that the rules of a server do not keep, and exports after their time. */
export async function rotateServer(sql: Pool, server_id: string, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    await rotateBackups(tx, server_id, now);
  });
}

/** Servers on whose backups something may have to go on; for what no notification told. */
export async function serversToSettle(db: Db, limit: number): Promise<string[]> {
  const found = await db<{ server_id: string }[]>`
    select b.server_id from server_backups b join server_operations o on o.id = b.op_id where o.ended is not null
    union select server_id from server_backups where state = 'deleting' and op_id is null
    limit ${limit}`;
  return found.map(({ server_id }) => server_id);
}

/**
 * Begins a backup before a risky change of a server, such as another loader; the caller waits until it is `done` or
 * `unchanged`. It counts as automated. Gives its id. Refuses as `whyNotHave.backups` and `whyNotOperate`, `backup_in_progress`
 * and `backups_too_many`.
 */
export async function backUpBefore(
  db: Db,
  actor: Actor,
  { server_id, before }: { server_id: string; before: string },
  settings: BackupSettings,
  now: Date,
): Promise<string> {
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotHave.backups);
  assertAllowed(whyNotOperate(server.facts));
  const wanted = { op_id: randomUUID(), reason: 'safety', actor_id: actor.user_id, before } as const;
  return await addBackup(db, server, wanted, settings, now);
}

/**
 * Begins the backup that a step of a schedule makes; it counts as automated. Gives its id. Refuses as `backUpBefore`, but as
 * `whyNotHave.backups`.
 */
export async function backUpAsStep(
  db: Db,
  actor: Actor,
  { server_id, op_id }: { server_id: string; op_id: string },
  settings: BackupSettings,
  now: Date,
): Promise<string> {
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotHave.backups);
  assertAllowed(whyNotOperate(server.facts));
  const wanted = { op_id, reason: 'schedule', actor_id: actor.user_id, timeout_ms: turn_ms } as const;
  return await addBackup(db, server, wanted, settings, now);
}
