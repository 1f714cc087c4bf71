import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { Operation } from '../protocol/agent.ts';
import type { RentedServer } from './plane.ts';

/** What an agent tells of a backup that it made. */
export const madeBackup = (given: object = {}) => ({
  ...{ bytes: 700, content_bytes: 1_000, files: 3, sha256: 'a'.repeat(64) },
  ...{ changed: [], changed_count: 0, unchanged: false, ...given },
});

/** The backups of a server as its panel gets them, newest first. */
export async function backupsOf({ screen, id }: Pick<RentedServer, 'screen' | 'id'>): Promise<BackupView[]> {
  const answer = await screen.request('backups.list', { server_id: id });
  if (!answer.ok) throw new Error(answer.description);
  return answer.backups;
}

/** Creates a backup and waits until the agent has begun it. */
export async function begun(
  renter: RentedServer,
  name?: string,
): Promise<{ id: string; operation: Operation }> {
  const op_id = randomUUID();
  const message = { server_id: renter.id, op_id, ...(name === undefined ? {} : { name }) };
  const answer = await renter.screen.request('backups.create', message);
  if (!answer.ok) throw new Error(answer.error);
  const operation = await operationOf(renter, ({ op_id: one }) => one === op_id);
  return { id: answer.backup.id, operation };
}

/** A backup that the agent has made. */
export async function made(renter: RentedServer, facts: object = {}): Promise<string> {
  const { id, operation } = await begun(renter);
  await ended(renter, operation, 'done', madeBackup(facts));
  await becomes(renter, id, { state: (facts as { unchanged?: true }).unchanged ? 'unchanged' : 'done' });
  return id;
}

/** The first operation that its agent was sent and that fits. */
export async function operationOf(
  { runner }: Pick<RentedServer, 'runner'>,
  fits: (operation: Operation) => boolean,
): Promise<Operation> {
  await expect.poll(() => runner.operations.some(fits), { timeout: 20_000 }).toBe(true);
  return runner.operations.find(fits)!;
}
export const ofKind = (renter: Pick<RentedServer, 'runner'>, kind: string): Promise<Operation> =>
  operationOf(renter, (operation) => operation.kind === kind);

/** The agent reports the end of an operation. */
export const ended = (
  { runner }: Pick<RentedServer, 'runner'>,
  { op_id, server_id }: Operation,
  state: 'done' | 'failed' | 'interrupted',
  result: object = {},
) => runner.report('operation.ended', server_id, { op_id, state, result });

/** Waits until the panel shows these fields of a backup. */
export async function becomes(
  renter: Pick<RentedServer, 'screen' | 'id'>,
  backup_id: string,
  fields: object,
): Promise<void> {
  const shown = async () => (await backupsOf(renter)).find(({ id }) => id === backup_id);
  await expect.poll(shown, { timeout: 20_000 }).toMatchObject(fields);
}

/** Names of the events of a server, oldest first. */
export const eventsOf = async (sql: Pool, server_id: string, like = 'server.backup%'): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select name from events where server_id = ${server_id} and name like ${like} order by id`
  ).map(({ name }) => name);

/** Backups of a server that were made before, without an agent: `count` of them, an hour apart. */
export async function stored(
  sql: Pool,
  server_id: string,
  count: number,
  given: { reason?: string; state?: string; locked?: boolean; name?: string } = {},
): Promise<string[]> {
  const { reason = 'user', state = 'done', locked = false, name = 'Old' } = given;
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const id = randomUUID().replaceAll('-', '').slice(0, 8);
    const row = { id, server_id, name: `${name} ${at}`, state, rest: 'done', reason, locked };
    const created = new Date(Date.now() - (count - at) * 3_600_000);
    const where = { game_version: '1.16.5', engine: 'archive', target: 'node' };
    await sql`insert into server_backups ${sql({ ...row, ...where, created })}`;
    ids.push(id);
  }
  return ids;
}
