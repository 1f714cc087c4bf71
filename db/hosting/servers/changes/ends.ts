import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type Before, type ChangeRow, changeById, type LoaderSpec } from '../content/open-change.ts';
import type { OperationError } from '../operations/rules.ts';
import { endGrants } from './grants.ts';

/** How changes end. The row of the server is locked. */

/** How long a change waits for the first start of its server; that may go on without it. */
const start_timeout_ms = 15 * 60_000;

/** All files are there: the server is what was wanted, and starts if it ran. */
export async function applied(db: Db, change: ChangeRow, now: Date): Promise<void> {
  const { id, server_id, wanted, undoes, starts } = change;
  if (wanted.spec) await setSpec(db, server_id, wanted.spec);
  // what runs has read its files already
  if (!wanted.stops)
    await db`
      update servers set seen = seen || '{"restart_due": true}'
      where id = ${server_id} and power in ('starting', 'running')`;
  const undone = undoes ? await changeById(db, undoes) : null;
  if (undone) {
    await setPack(db, server_id, undone.before.pack);
    await db`update server_changes set step = 'undone', undone_by = ${id} where id = ${undone.id}`;
  } else if (wanted.pack)
    await setPack(db, server_id, { ...wanted.pack, installed: now.toISOString(), change_id: id });
  else if (wanted.erase) await setPack(db, server_id, null);
  if (!starts) return await end(db, change, 'done', null, now);
  const step_until = new Date(now.getTime() + start_timeout_ms);
  await db`update server_changes set step = 'starting', step_until = ${step_until} where id = ${id}`;
  await powerOn(db, server_id);
}

/** A new game version has its own Java unless the old one comes back. */
async function setSpec(db: Db, server_id: string, spec: LoaderSpec & { java?: number | null }) {
  const { game_version, loader, loader_version, java } = spec;
  await db`
    update servers set game_version = ${game_version}, loader = ${loader}, loader_version = ${loader_version},
      java = ${java !== undefined ? java : db`case when game_version = ${game_version} then java end`},
      generation = generation + 1
    where id = ${server_id}`;
}

/** `undefined` leaves the modpack as it is. */
async function setPack(db: Db, server_id: string, pack: Before['pack']): Promise<void> {
  if (pack === undefined) return;
  await db`delete from server_packs where server_id = ${server_id}`;
  if (!pack) return;
  const { project_id, version_id, installed, change_id } = pack;
  const row = { server_id, project_id, version_id, installed, change_id, files: db.json(pack.files) };
  await db`insert into server_packs ${db(row)}`;
}

/** A server that ran is started again; whoever stopped it meanwhile has the last word. */
const powerOn = (db: Db, server_id: string) => db`
  update servers set power_wanted = 'on', generation = generation + 1
  where id = ${server_id} and power_wanted = 'off' and lifecycle in ('ready', 'upgrading')`;

/** Ends a change whose server runs again, crashed, was stopped, or takes too long. */
export async function startedAgain(db: Db, change: ChangeRow, now: Date): Promise<void> {
  const [server] = await db<{ power: string; power_wanted: string }[]>`
    select power, power_wanted from servers where id = ${change.server_id}`;
  const isOver = change.first_start === 'ok' || change.first_start === 'failed';
  if (
    isOver ||
    server?.power === 'running' ||
    server?.power_wanted !== 'on' ||
    now > new Date(change.step_until)
  )
    await end(db, change, 'done', null, now);
}

/** Nothing was changed. */
export async function failed(db: Db, change: ChangeRow, error: OperationError, now: Date): Promise<void> {
  await end(db, change, 'failed', error, now);
  if (change.starts) await powerOn(db, change.server_id);
}

/** Nothing was changed, because a user did not want it any more. */
export async function cancelled(db: Db, change: ChangeRow, now: Date): Promise<void> {
  await end(db, change, 'cancelled', null, now);
  if (change.starts) await powerOn(db, change.server_id);
}

async function end(
  db: Db,
  change: ChangeRow,
  step: 'done' | 'failed' | 'cancelled',
  error: OperationError | null,
  now: Date,
): Promise<void> {
  const { id, server_id, actor_id, kind, count, wanted } = change;
  // its files are of no use any more
  const kept = {
    ...wanted,
    ...{ files: {}, pack: null, content: wanted.content && { folders: wanted.content.folders } },
  };
  await db`
    update server_changes set step = ${step}, ended = ${now}, cancelling = false, wanted = ${db.json(kept as never)},
      error = ${error && db.json(error as never)}
    where id = ${id}`;
  await endGrants(db, id);
  const [server] = await db`select 1 from servers where id = ${server_id}`;
  if (!server) return;
  const by = { actor_id, server_id };
  const data = { change_id: id, kind };
  if (step === 'done') await recordEvent(db, { name: 'server.change_done', ...by, data: { ...data, count } });
  else
    await recordEvent(db, {
      name: 'server.change_failed',
      ...by,
      data: { ...data, error: error?.code ?? 'cancelled' },
    });
}
