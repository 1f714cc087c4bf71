import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { FileQuery, QueryAnswer } from '#control/protocol/files.ts';
import { folderOf } from '../disk/folders.ts';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';

/** The files of a server that runs in a container, over a real socket, on the kind of disk this machine offers. */
let fixture: AgentFixture;
let agent: { close(): void };
beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start({}, 'auto');
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});

const ask = (server_id: string, query: FileQuery, args: object, lease = fixture.plane.lease) =>
  fixture.plane
    .socket!.timeout(20_000)
    .emitWithAck('files.query', { server_id, lease, query, args }) as Promise<QueryAnswer>;

it('are changed while it runs, and belong to it', async () => {
  const server_id = await fixture.running();
  const op_id = randomUUID();
  const { plane } = fixture;
  const answer = await plane.socket!.timeout(20_000).emitWithAck('operation.run', {
    ...{ op_id, server_id, kind: 'file_create', args: { path: 'plugins/a.yml', type: 'file' } },
    ...{ not_after: new Date(Date.now() + 60_000).toISOString(), lease: plane.lease },
  });
  expect(answer).toEqual({ status: 'accepted' });
  await vi.waitFor(
    () =>
      expect(plane.events.find(({ data }) => data.op_id === op_id)?.data).toMatchObject({ state: 'done' }),
    wait_options,
  );
  expect(await ask(server_id, 'list', { path: 'plugins' })).toMatchObject({
    ok: true,
    result: { total: 1, entries: [{ name: 'a.yml', type: 'file', bytes: 0 }] },
  });
  const folder = folderOf(fixture.data, server_id);
  expect(statSync(join(folder, 'plugins/a.yml')).uid).toBe(statSync(folder).uid);
  expect(existsSync(join(folder, '.cairn'))).toBe(true);
  const upload = { upload_id: randomUUID(), path: 'a', bytes: 1024 ** 4 };
  expect(await ask(server_id, 'upload_begin', upload)).toMatchObject({ ok: false, error: 'disk_full' });
  expect(await ask(server_id, 'list', { path: '' }, plane.lease - 1)).toMatchObject({ error: 'lease_stale' });
  expect(await ask('none', 'list', { path: '' })).toMatchObject({ error: 'server_not_found' });
});
