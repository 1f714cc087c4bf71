import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Operation, type ServerSpec, specHash } from '#control/protocol/agent.ts';
import { initialState } from '../plan/plan.ts';
import { eventStore } from './events.ts';
import { firstUid } from './servers.ts';
import { openStateStore, type StateStore } from './store.ts';

let folder: string;
let store: StateStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-store-'));
  store = openStateStore(folder);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
/** Opens the store again, as after a killed agent. */
const again = () => {
  store.close();
  store = openStateStore(folder);
};

const spec = (generation: number, change: Partial<ServerSpec> = {}): ServerSpec => ({
  server_id: 'S1',
  generation,
  name: 'One',
  kind: 'local',
  game_version: '1.16.5',
  loader: null,
  loader_version: null,
  java: null,
  jvm_flags: [],
  heap_mb: null,
  ram_mb: 512,
  swap_mb: 0,
  cpu_millis: 1000,
  disk_mb: 1024,
  port: 25_565,
  extra_ports: [],
  terms_accepted: true,
  power: 'on',
  restart_seq: 0,
  resize_seq: 0,
  suspended: false,
  sleep: null,
  power_by: null,
  ...change,
});
const recordDeleted = (server_id: string) => store.events.record('server.deleted', server_id, {}, 0);
const operation = (): Operation => ({
  op_id: randomUUID(),
  server_id: 'S1',
  kind: 'kill',
  args: {},
  not_after: '2026-01-01T00:00:00Z',
  lease: 1,
});

describe('specifications', () => {
  it('are stored by generation: an older one changes nothing', () => {
    expect(store.servers.applySpec(spec(2))).toBe(2);
    expect(store.servers.applySpec(spec(1, { name: 'Older' }))).toBe(2);
    again();
    expect(store.servers.find('S1')?.spec?.name).toBe('One');
    expect(store.servers.inventory()).toEqual({ S1: { generation: 2, hash: specHash(spec(2)) } });
  });

  it('give every server a uid of its own, and keep what is remembered of it', () => {
    store.servers.applySpec(spec(1));
    store.servers.applySpec(spec(1, { server_id: 'S2' }));
    store.servers.saveState('S1', { ...initialState, power: 'running', held_reason: 'typed' });
    store.servers.applySpec(spec(2));
    again();
    expect(store.servers.all().map(({ id, uid }) => [id, uid])).toEqual([
      ['S1', firstUid('')],
      ['S2', firstUid('') + 1],
    ]);
    expect(firstUid('AAAAAAAA')).not.toBe(firstUid('BBBBBBBB'));
    expect(firstUid('AAAAAAAA')).toBeGreaterThanOrEqual(1_000_000);
    expect(store.servers.find('S1')?.state).toMatchObject({ power: 'running', held_reason: 'typed' });
  });

  it('are read as they are stored, after every write and after a rollback', () => {
    const power = () => store.servers.find('S1')?.state.power;
    store.servers.applySpec(spec(1));
    expect(power()).toBe(initialState.power);
    store.servers.saveState('S1', { ...initialState, power: 'running' });
    expect(power()).toBe('running');
    expect(() =>
      store.transaction(() => {
        store.servers.saveState('S1', { ...initialState, power: 'crashed' });
        expect(power()).toBe('crashed');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(power()).toBe('running');
    store.servers.applySpec(spec(2, { name: 'Two' }));
    expect(store.servers.find('S1')?.spec?.name).toBe('Two');
    store.servers.markDeleted('S1');
    expect(store.servers.find('S1')?.deleted).toBe(true);
  });

  it('of a server that must go change nothing any more, until it is forgotten', () => {
    store.servers.markDeleted('S1');
    expect(store.servers.applySpec(spec(5))).toBe(0);
    again();
    expect(store.servers.find('S1')).toMatchObject({ deleted: true, spec: null });
    store.servers.delete('S1');
    expect(store.servers.find('S1')).toBeNull();
  });
});

describe('events', () => {
  it('keep their order and their numbers, which are never used again', () => {
    for (const id of ['A', 'B', 'C']) recordDeleted(id);
    store.events.acknowledge(2);
    again();
    expect(store.events.next(10).map(({ seq, server_id }) => [seq, server_id])).toEqual([[3, 'C']]);
    store.events.acknowledge(3);
    again();
    recordDeleted('D');
    expect(store.events.next(10).map(({ seq }) => seq)).toEqual([4]);
  });

  it('are handed out oldest first, as many as fit, and deleted in chunks', () => {
    store.transaction(() => {
      for (let count = 0; count < 1_203; count++) recordDeleted(`N${count}`);
    });
    expect(store.events.next(200).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    store.events.acknowledge(1_201);
    expect(store.events.next(200).map(({ seq }) => seq)).toEqual([1_202, 1_203]);
  });

  it('overwrite their like when too many wait, and stay dense', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(
      `create table events (seq integer primary key autoincrement, server_id text, type text, at text, data text)`,
    );
    const few = eventStore(db, 3);
    const warn = (server_id: string, code: string) => few.record('server.warning', server_id, { code }, 0);
    for (const code of ['one', 'two', 'three', 'four', 'five']) warn('A', code);
    expect(few.next(10).map(({ seq, data }) => [seq, data.code])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'five'],
    ]);
    warn('B', 'other');
    expect(few.next(10).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    db.close();
  });

  it('are recorded together with the state they report, or not at all', () => {
    store.servers.applySpec(spec(1));
    expect(() =>
      store.transaction(() => {
        store.servers.saveState('S1', { ...initialState, power: 'running' });
        recordDeleted('S1');
        throw new Error('cut off');
      }),
    ).toThrow('cut off');
    expect(store.servers.find('S1')?.state.power).toBe('stopped');
    expect(store.events.next(1)).toEqual([]);
  });
});

describe('operations', () => {
  it('are known after a crash: accepted ones as open, ended ones with their state for seven days', () => {
    const [cut, done] = [operation(), operation()];
    store.operations.accept(cut, 1_000);
    store.operations.accept(done, 1_000);
    store.operations.end(done.op_id, 'done', { was_running: true }, 2_000);
    again();
    expect(store.operations.unfinished().map(({ id }) => id)).toEqual([cut.op_id]);
    expect(store.operations.find(done.op_id)?.state).toBe('done');
    const week = 7 * 24 * 3_600_000;
    store.operations.purge(2_000 + week);
    expect(store.operations.find(done.op_id)?.state).toBe('done');
    store.operations.purge(2_001 + week);
    expect(store.operations.find(done.op_id)).toBeNull();
    expect(store.operations.find(cut.op_id)?.state).toBe('accepted');
  });
});

describe('consoles', () => {
  it('keep their mark and what was typed, of the newest run only', () => {
    store.consoles.saveReadPosition('S1', { epoch: 'e1', first: 'Booting', seq: 7, at: 5 });
    store.consoles.saveAddedLine('S1', 'e1', { seq: 3, at: 4, stream: 'in', text: 'say one' });
    for (const seq of [4, 4, 6]) store.consoles.hideLine('S1', 'e1', seq);
    again();
    expect(store.consoles.readPosition('S1', 'e1')).toMatchObject({ first: 'Booting', seq: 7 });
    expect(store.consoles.readPosition('S1', 'e2')).toBeNull();
    expect([...store.consoles.hiddenLines('S1', 'e1')]).toEqual([
      [4, 2],
      [6, 1],
    ]);
    const own = { seq: 1, at: 9, stream: 'cairn', text: 'start_requested ada' } as const;
    store.consoles.saveAddedLine('S1', 'e2', own);
    store.consoles.hideLine('S1', 'e2', 2);
    expect(store.consoles.addedLines('S1', 'e1')).toEqual([]);
    expect(store.consoles.addedLines('S1', 'e2')).toEqual([own]);
    expect(store.consoles.hiddenLines('S1', 'e1').size).toBe(0);
  });
});

it('a store has the identity of its node without the control plane, and one name for its stream', () => {
  const { stream_id } = store;
  store.saveIdentity({
    node_id: 'N1',
    lease: 4,
    installation: 'here',
    clock_offset: 0,
    node: { name: 'one', bind_address: '127.0.0.1', port_from: 1024, port_to: 2048 },
  });
  again();
  expect(store.identity()).toMatchObject({ node_id: 'N1', lease: 4 });
  expect(store.stream_id).toBe(stream_id);
});
