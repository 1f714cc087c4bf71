import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Before, LoaderSpec } from '../content/change-work.ts';
import { isLate, type Next, type StepwiseKind, type Work } from '../tasks/steps.ts';
import { updateTask } from '../tasks/write.ts';
import { endGrants } from './grants.ts';
import { type Change, changeById } from './rows.ts';

/** How changes end. */

/** How long a change waits for the first start of its server; that may go on without it. */
export const start_timeout_ms = 15 * 60_000;

/** All files are there: the server is what was wanted, and starts if it ran. */
export async function applied({ db, task, now }: Work<Change>): Promise<Next<Change>> {
  const { id, server_id, starts } = task;
  const { wanted, undoes } = task.data;
  if (wanted.spec) await setSpec(db, server_id, wanted.spec);
  // what runs has read its files already
  if (!wanted.stops)
    await db`
      update servers set seen = seen || '{"restart_due": true}'
      where id = ${server_id} and power in ('starting', 'running')`;
  const undone = undoes ? await changeById(db, undoes) : null;
  if (undone) {
    await setPack(db, server_id, undone.data.before.pack);
    await updateTask<Change>(db, undone, { step: 'undone', data: { undone_by: id } });
  } else if (wanted.pack)
    await setPack(db, server_id, { ...wanted.pack, installed: now.toISOString(), change_id: id });
  else if (wanted.erase) await setPack(db, server_id, null);
  return starts ? { step: 'starting' } : { ends: 'done' };
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

/** The server runs again, crashed, was stopped, or takes too long. */
export async function untilStarted(work: Work<Change>): Promise<Next<Change>> {
  const { db, task } = work;
  const [server] = await db<{ power: string; power_wanted: string }[]>`
    select power, power_wanted from servers where id = ${task.server_id}`;
  const isOver = task.data.first_start === 'ok' || task.data.first_start === 'failed';
  const isUp = server?.power === 'running' || server?.power_wanted !== 'on';
  return isOver || isUp || isLate(work) ? { ends: 'done' } : 'waits';
}

/** Unless it is done, nothing was changed. */
export async function onEnd(
  { db, task }: Work<Change>,
  { step, error }: Parameters<StepwiseKind<Change>['onEnd']>[1],
): Promise<void> {
  const { id, server_id, actor_id, data: change } = task;
  const { kind, count, wanted } = change;
  // its files are of no use any more
  const content = wanted.content && { folders: wanted.content.folders };
  await updateTask<Change>(
    db,
    { id, step },
    { data: { wanted: { ...wanted, files: {}, pack: null, content } } },
  );
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
