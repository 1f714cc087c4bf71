import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationKind } from '#control/protocol/agent.ts';
import { ensureImage } from '../images/ensure-image.ts';
import { kindOf } from '../plan/kinds.ts';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';
import { joinGame } from '../testing/minecraft-bot.ts';

/** Backups of real servers under a real agent: with a player, and with the agent killed in the middle. */
let fixture: AgentFixture;
const stored = (backup_id: string) => ({ backup_id, engine: 'archive', target: 'node' });
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
async function run(server_id: string, kind: OperationKind, args: object) {
  const op_id = await begin(server_id, kind, args);
  return await vi.waitFor(() => {
    const found = end(op_id);
    expect(found).toBeDefined();
    return found as { state: string; result: Record<string, unknown> };
  }, wait_options);
}
const folderOf = (id: string) => join(fixture.data, 'servers', id);
const backupsOf = (id: string) => {
  const folder = join(fixture.data, 'backups', id);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const said = (id: string, text: RegExp) => fixture.plane.texts(id).filter((line) => text.test(line)).length;

describe('a world with a player in it', () => {
  let agent: { close(): void };
  beforeAll(async () => {
    fixture = await agentFixture();
    agent = fixture.start({ kindOf, ensureImage });
  });
  afterAll(async () => {
    agent?.close();
    await fixture?.end();
  });

  it('is as it was when it was backed up, once that is restored', async () => {
    const { plane, running, power } = fixture;
    const id = await running({ ram_mb: 512, game_version: '1.16.5' });
    const port = plane.specs.get(id)!.port;
    const join_world = () => joinGame({ host: '127.0.0.1', port }, 'Digger', { version: '1.16.5' });
    let player = await join_world();
    const dug_before = await player.dig(1, 0);
    const made = await run(id, 'backup_create', { ...stored('B1'), max_bytes: 1e9 });
    expect(made).toMatchObject({ state: 'done', result: { changed_count: 0, unchanged: false } });
    expect(said(id, /saving is now disabled/)).toBe(1);
    // the line may come after the result
    await vi.waitFor(() => expect(said(id, /saving is now enabled/)).toBe(1), wait_options);
    const dug_after = await player.dig(0, 1);
    await player.leave();
    const refused = await run(id, 'backup_restore', { ...stored('B1'), sha256: made.result.sha256 });
    expect(refused).toMatchObject({ state: 'failed', result: { error: 'server_still_running' } });
    await plane.setDesired(id, { power: 'off' });
    await power(id, 'stopped');
    const restored = await run(id, 'backup_restore', { ...stored('B1'), sha256: made.result.sha256 });
    expect(restored).toMatchObject({ state: 'done', result: { files: made.result.files } });
    await plane.setDesired(id, { power: 'on' });
    await power(id, 'running');
    player = await join_world();
    const block = (place: typeof dug_before) =>
      vi.waitFor(async () => {
        const name = await player.blockAt(place);
        expect(name).not.toBeNull();
        return name;
      }, wait_options);
    expect(await block(dug_before)).toBe('air');
    expect(await block(dug_after)).not.toBe('air');
    await player.leave();
    expect(await run(id, 'backup_verify', { ...stored('B1'), sha256: made.result.sha256 })).toMatchObject({
      state: 'done',
      result: { damaged: [] },
    });
    expect(await run(id, 'backup_delete', stored('B1'))).toMatchObject({ state: 'done' });
    expect(backupsOf(id)).toEqual([]);
  });
});

describe('an agent that is killed', () => {
  beforeEach(async () => {
    fixture = await agentFixture();
  });
  afterEach(async () => {
    await fixture.end();
  });
  const large = (id: string) => join(folderOf(id), 'large');
  /** Takes long enough to be killed or cancelled in its middle. */
  const large_bytes = 200 * 1024 * 1024;

  it('in the middle of a backup leaves no half one and no server with saving off', async () => {
    const first = fixture.spawn();
    const id = await fixture.running({ disk_mb: 4_096 });
    writeFileSync(large(id), randomBytes(large_bytes));
    const op_id = await begin(id, 'backup_create', { ...stored('B1'), max_bytes: 1e9 });
    const part = join(fixture.data, 'backups', id, 'B1.tar.zst.part');
    await vi.waitFor(() => expect(statSync(part).size).toBeGreaterThan(1e7), {
      ...wait_options,
      interval: 2,
    });
    expect(said(id, /saving is now enabled/)).toBe(0);
    first.kill('SIGKILL');
    fixture.spawn();
    await vi.waitFor(() => expect(end(op_id)).toMatchObject({ state: 'interrupted' }), wait_options);
    expect(backupsOf(id)).toEqual([]);
    await vi.waitFor(() => expect(said(id, /saving is now enabled/)).toBe(1), wait_options);
    expect(await run(id, 'backup_create', { ...stored('B2'), max_bytes: 1e9 })).toMatchObject({
      state: 'done',
    });
    expect(backupsOf(id)).toEqual(['B2.json', 'B2.tar.zst']);
  });

  it('in the middle of a restore has the old files, and the server starts with them', async () => {
    const first = fixture.spawn();
    const id = await fixture.running({ disk_mb: 4_096 });
    writeFileSync(large(id), randomBytes(large_bytes));
    const { result } = await run(id, 'backup_create', { ...stored('B1'), max_bytes: 1e9 });
    writeFileSync(large(id), 'what a renter has now');
    await fixture.plane.setDesired(id, { power: 'off' });
    await fixture.power(id, 'stopped');
    const op_id = await begin(id, 'backup_restore', { ...stored('B1'), sha256: result.sha256 });
    const fresh = join(folderOf(id), '.cairn/restore/new/large');
    await vi.waitFor(() => expect(statSync(fresh).size).toBeGreaterThan(1e7), {
      ...wait_options,
      interval: 2,
    });
    // it must not start in the middle
    await fixture.plane.setDesired(id, { power: 'on' });
    expect(fixture.plane.power(id)).toBe('stopped');
    first.kill('SIGKILL');
    expect(end(op_id)).toBeUndefined();
    fixture.spawn();
    await vi.waitFor(() => expect(end(op_id)).toMatchObject({ state: 'interrupted' }), wait_options);
    await fixture.power(id, 'running');
    expect(readFileSync(large(id), 'utf8')).toBe('what a renter has now');
    expect(globSync('.cairn/*', { cwd: folderOf(id) })).toEqual([]);
  });

  it('stops what is cancelled', async () => {
    fixture.spawn();
    const id = await fixture.running({ disk_mb: 4_096 });
    writeFileSync(large(id), randomBytes(large_bytes));
    const op_id = await begin(id, 'backup_create', { ...stored('B1'), max_bytes: 1e9 });
    const part = join(fixture.data, 'backups', id, 'B1.tar.zst.part');
    await vi.waitFor(() => expect(existsSync(part)).toBe(true), { ...wait_options, interval: 2 });
    expect(await run(id, 'backup_cancel', { op_id })).toMatchObject({ result: { was_running: true } });
    await vi.waitFor(
      () => expect(end(op_id)).toMatchObject({ state: 'failed', result: { error: 'cancelled' } }),
      wait_options,
    );
    expect(backupsOf(id)).toEqual([]);
    await vi.waitFor(() => expect(said(id, /saving is now enabled/)).toBe(1), wait_options);
    expect(await run(id, 'backup_cancel', { op_id })).toMatchObject({ result: { was_running: false } });
  });
});
