import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { changeViews } from '#db/hosting/servers/changes/read.ts';
import { type ChangeRequest, requestServerChange } from '#db/hosting/servers/changes/request.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import type { Operation } from '../protocol/agent.ts';
import { operationOf } from './backups.ts';
import type { RentedServer } from './plane.ts';
import { powerReport } from './scripted-agent.ts';

/** Changes of content and loader in tests. */

const settings = { BACKUP_ENGINE: 'archive', BACKUP_TARGET: 'node' } as const;

/** Asks for another loader as a panel does. */
export const changeLoader = ({ screen, id }: Pick<RentedServer, 'screen' | 'id'>, given: object = {}) =>
  screen.request('loader.change', {
    ...{ server_id: id, op_id: randomUUID(), game_version: '1.21.4', loader: 'fabric', loader_version: null },
    ...{ erase: false, backup: false, stop: false, ...given },
  });

/** A jar that is added to `mods/`. */
const addedJar = {
  content: {
    ...{ folders: ['mods'], revision: 'r1', archive: null, move: [], remove: [] },
    add: [{ path: 'mods/a.jar', sha512: 'a'.repeat(128), bytes: 3, urls: [] }],
  },
  files: { ['a'.repeat(128)]: 'data/P/versions/V/a.jar' },
};

/** Installs a jar as the requests of content do. */
export async function installJar(
  sql: Pool,
  { owner, id }: Pick<RentedServer, 'owner' | 'id'>,
  given: Partial<ChangeRequest> = {},
): Promise<ChangeView> {
  const request: ChangeRequest = {
    ...{ server_id: id, op_id: randomUUID(), kind: 'install', count: 1, spec: null, pack: null, ...addedJar },
    ...{ items: [{ title: 'A', from: null, to: '1.0' }], erase: false, backup: false, stop: false, ...given },
  };
  const actor = await actorFor(owner);
  return await sql.begin((tx) => requestServerChange(tx, actor, request, settings, new Date()));
}

/** Waits until the newest change of a server has these fields. */
export async function changeBecomes(
  sql: Pool,
  { id }: Pick<RentedServer, 'id'>,
  fields: object,
): Promise<ChangeView> {
  const shown = async () => (await changeViews(sql, id))[0];
  await expect.poll(shown, { timeout: 20_000 }).toMatchObject(fields);
  return (await shown())!;
}

/** The newest operation of a kind that the agent was sent. */
export async function newestOf(renter: Pick<RentedServer, 'runner'>, kind: string): Promise<Operation> {
  await operationOf(renter, (operation) => operation.kind === kind);
  return renter.runner.operations.findLast((operation) => operation.kind === kind)!;
}

/** The agent reports that the process of a server is in another state. */
export const reportPower = (
  { runner, id }: Pick<RentedServer, 'runner' | 'id'>,
  power: 'stopped' | 'starting' | 'running' | 'crashed',
) => runner.report('server.power', id, powerReport(power));
