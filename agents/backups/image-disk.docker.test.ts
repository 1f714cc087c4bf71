import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import type { OperationKind } from '#control/protocol/agent.ts';
import { imageAt } from '../disk/mounts.ts';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';

/** Backups of a server whose disk is an image, under a real agent, which is also killed in the middle. */
const mib = 1024 * 1024;
const stored = { backup_id: 'B1', engine: 'archive', target: 'node' };
let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

const start = () => fixture.spawn({ CAIRN_AGENT_DISK: 'auto' });
const folder = (id: string) => join(fixture.data, 'servers', id);
const large = (id: string) => join(folder(id), 'large');
const sumOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const end = (op_id: string) =>
  fixture.plane.events.find(({ type, data }) => type === 'operation.ended' && data.op_id === op_id)?.data;

async function begin(server_id: string, kind: OperationKind, args: object): Promise<string> {
  const op_id = randomUUID();
  const not_after = new Date(Date.now() + 60_000).toISOString();
  const operation = { op_id, server_id, kind, args: { ...args }, not_after, lease: fixture.plane.lease };
  const answer = await fixture.plane.socket!.timeout(20_000).emitWithAck('operation.run', operation);
  expect(answer).toEqual({ status: 'accepted' });
  return op_id;
}
const ended = (op_id: string) =>
  vi.waitFor(() => {
    const found = end(op_id);
    expect(found).toBeDefined();
    return found as { state: string; result: Record<string, unknown> };
  }, wait_options);

/** A stopped server with a backup of `mb` megabytes and other files of that size since, on a disk of `disk_mb`. */
async function serverWithBackup({ skip }: TestContext, { disk_mb, mb }: { disk_mb: number; mb: number }) {
  const id = await fixture.running({ disk_mb });
  // its agent found out: `disk.docker.test.ts` expects images where the machine offers them
  if (!existsSync(join(fixture.data, 'disks', `${id}.img`)))
    skip('This machine cannot mount images so that Docker sees them.');
  expect((await imageAt(folder(id)))?.image).toBe(join(fixture.data, 'disks', `${id}.img`));
  writeFileSync(large(id), randomBytes(mb * mib));
  writeFileSync(join(folder(id), 'only before'), 'before');
  const backed_up = sumOf(large(id));
  const { state, result } = await ended(await begin(id, 'backup_create', { ...stored, max_bytes: 1e9 }));
  expect(state).toBe('done');
  await fixture.plane.setDesired(id, { power: 'off' });
  await fixture.power(id, 'stopped');
  writeFileSync(large(id), randomBytes(mb * mib));
  return { id, backed_up, now: sumOf(large(id)), args: { ...stored, sha256: result.sha256 } };
}

/** Nothing but its files, on the image, and nothing of a restore at the node. */
async function expectInOrder(id: string, sum: string): Promise<void> {
  expect((await imageAt(folder(id)))?.image).toBe(join(fixture.data, 'disks', `${id}.img`));
  expect(sumOf(large(id))).toBe(sum);
  expect(readFileSync(join(folder(id), 'only before'), 'utf8')).toBe('before');
  expect(globSync('.cairn/*/*', { cwd: folder(id) })).toEqual([]);
  expect(readdirSync(join(fixture.data, 'backups/work'))).toEqual([]);
  await fixture.plane.setDesired(id, { power: 'on' });
  await fixture.power(id, 'running');
}

describe.each([
  ['beside the old ones', { disk_mb: 400, mb: 128 }],
  ['in place of the old ones, which wait in an archive', { disk_mb: 210, mb: 128 }],
])('a restore to an image, where new files are unpacked %s', (_, sizes) => {
  const isBeside = sizes.disk_mb > 2 * sizes.mb;

  it('replaces the files, and the server starts with them', async (context) => {
    start();
    const { id, backed_up, args } = await serverWithBackup(context, sizes);
    expect(await ended(await begin(id, 'backup_restore', args))).toMatchObject({ state: 'done' });
    await expectInOrder(id, backed_up);
  });

  it.for(['still mounted', 'not mounted any more'])(
    'has the old files when its agent is killed in the middle, on a disk that is %s',
    async (disk, context) => {
      const first = start();
      const { id, now, args } = await serverWithBackup(context, sizes);
      const op_id = await begin(id, 'backup_restore', args);
      const fresh = isBeside ? join(folder(id), '.cairn/restore/new/large') : large(id);
      const undo = join(fixture.data, 'backups/work', `${id}.undo.tar.zst`);
      await vi.waitFor(
        () => {
          const { size } = statSync(fresh);
          expect(size).toBeGreaterThan(1e7);
          expect(size).toBeLessThan(sizes.mb * mib);
          expect(existsSync(undo)).toBe(!isBeside);
        },
        { ...wait_options, interval: 2 },
      );
      first.kill('SIGKILL');
      await new Promise((gone) => first.once('exit', gone));
      expect(end(op_id)).toBeUndefined();
      if (disk === 'not mounted any more') spawnSync('umount', ['--lazy', folder(id)]);
      start();
      expect(await ended(op_id)).toMatchObject({ state: 'interrupted' });
      await expectInOrder(id, now);
    },
  );
});
