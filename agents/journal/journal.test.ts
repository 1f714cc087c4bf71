import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Operation, type ServerSpec, specHash } from '#control/protocol/agent.ts';
import { noFacts } from '../plan.ts';
import { eventJournal } from './events.ts';
import { type Journal, openJournal } from './journal.ts';

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-journal-'));
  journal = openJournal(folder);
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});
/** What a killed agent finds when it starts again. */
const again = () => {
  journal.close();
  journal = openJournal(folder);
};

const spec = (generation: number, change: Partial<ServerSpec> = {}): ServerSpec => ({
  server_id: 'S1',
  generation,
  name: 'One',
  kind: 'local',
  game_version: '1.16.5',
  loader: null,
  ram_mb: 512,
  swap_mb: 0,
  cpu_millis: 1000,
  disk_mb: 1024,
  port: 25_565,
  terms_accepted: true,
  power: 'on',
  restart_seq: 0,
  resize_seq: 0,
  suspended: false,
  ...change,
});
const gone = (server_id: string) => journal.events.record('server.deleted', server_id, {}, 0);
const operation = (): Operation => ({
  op_id: randomUUID(),
  server_id: 'S1',
  kind: 'kill',
  args: {},
  not_after: '2026-01-01T00:00:00Z',
  lease: 1,
});

describe('specifications', () => {
  it('are kept by generation: an older one changes nothing', () => {
    expect(journal.servers.accept(spec(2))).toBe(2);
    expect(journal.servers.accept(spec(1, { name: 'Older' }))).toBe(2);
    again();
    expect(journal.servers.find('S1')?.spec?.name).toBe('One');
    expect(journal.servers.inventory()).toEqual({ S1: { generation: 2, hash: specHash(spec(2)) } });
  });

  it('give every server a uid of its own, and keep what is remembered of it', () => {
    journal.servers.accept(spec(1));
    journal.servers.accept(spec(1, { server_id: 'S2' }));
    journal.servers.remember('S1', { ...noFacts, power: 'running', rest: 'typed' });
    journal.servers.accept(spec(2));
    again();
    expect(journal.servers.all().map(({ id, uid }) => [id, uid])).toEqual([
      ['S1', 20_000],
      ['S2', 20_001],
    ]);
    expect(journal.servers.find('S1')?.facts).toMatchObject({ power: 'running', rest: 'typed' });
  });

  it('of a server that must go change nothing any more, until it is forgotten', () => {
    journal.servers.markGone('S1');
    expect(journal.servers.accept(spec(5))).toBe(0);
    again();
    expect(journal.servers.find('S1')).toMatchObject({ gone: true, spec: null });
    journal.servers.forget('S1');
    expect(journal.servers.find('S1')).toBeNull();
  });
});

describe('events', () => {
  it('keep their order and their numbers, which are never used again', () => {
    for (const id of ['A', 'B', 'C']) gone(id);
    journal.events.taken(2);
    again();
    expect(journal.events.next(10).map(({ seq, server_id }) => [seq, server_id])).toEqual([[3, 'C']]);
    journal.events.taken(3);
    again();
    gone('D');
    expect(journal.events.next(10).map(({ seq }) => seq)).toEqual([4]);
  });

  it('are handed out oldest first, as many as fit, and deleted in chunks', () => {
    journal.atOnce(() => {
      for (let count = 0; count < 1_203; count++) gone(`N${count}`);
    });
    expect(journal.events.next(200).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    journal.events.taken(1_201);
    expect(journal.events.next(200).map(({ seq }) => seq)).toEqual([1_202, 1_203]);
  });

  it('overwrite their like when too many wait, and stay dense', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(
      `create table events (seq integer primary key autoincrement, server_id text, type text, at text, data text)`,
    );
    const few = eventJournal(db, 3);
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

  it('are recorded together with what they tell, or not at all', () => {
    journal.servers.accept(spec(1));
    expect(() =>
      journal.atOnce(() => {
        journal.servers.remember('S1', { ...noFacts, power: 'running' });
        gone('S1');
        throw new Error('cut off');
      }),
    ).toThrow('cut off');
    expect(journal.servers.find('S1')?.facts.power).toBe('stopped');
    expect(journal.events.next(1)).toEqual([]);
  });
});

describe('operations', () => {
  it('are known after a crash: accepted ones as open, ended ones with their state for seven days', () => {
    const [cut, done] = [operation(), operation()];
    journal.operations.accept(cut, 1_000);
    journal.operations.accept(done, 1_000);
    journal.operations.end(done.op_id, 'done', { was_running: true }, 2_000);
    again();
    expect(journal.operations.open().map(({ id }) => id)).toEqual([cut.op_id]);
    expect(journal.operations.find(done.op_id)?.state).toBe('done');
    const week = 7 * 24 * 3_600_000;
    journal.operations.forgetOld(2_000 + week);
    expect(journal.operations.find(done.op_id)?.state).toBe('done');
    journal.operations.forgetOld(2_001 + week);
    expect(journal.operations.find(done.op_id)).toBeNull();
    expect(journal.operations.find(cut.op_id)?.state).toBe('accepted');
  });
});

describe('consoles', () => {
  it('keep their mark and what was typed, of the newest run only', () => {
    journal.consoles.mark('S1', { epoch: 'e1', first: 'Booting', seq: 7, at: 5 });
    journal.consoles.type('S1', 'e1', { seq: 3, at: 4, text: 'say one' });
    again();
    expect(journal.consoles.marked('S1', 'e1')).toMatchObject({ first: 'Booting', seq: 7 });
    expect(journal.consoles.marked('S1', 'e2')).toBeNull();
    journal.consoles.type('S1', 'e2', { seq: 1, at: 9, text: 'say two' });
    expect(journal.consoles.typed('S1', 'e1')).toEqual([]);
    expect(journal.consoles.typed('S1', 'e2')).toMatchObject([{ seq: 1, text: 'say two' }]);
  });
});

it('a journal says who its node is without the plane, and has one name for its stream', () => {
  const { stream_id } = journal;
  journal.keepIdentity({
    node_id: 'N1',
    lease: 4,
    installation: 'here',
    clock_offset: 0,
    node: { name: 'one', bind_address: '127.0.0.1', port_from: 1024, port_to: 2048 },
  });
  again();
  expect(journal.identity()).toMatchObject({ node_id: 'N1', lease: 4 });
  expect(journal.stream_id).toBe(stream_id);
});

it('brings what an agent of protocol version 1 left to the names of version 2', () => {
  const power = { power: 'crashed', generation: 1, last_lines: [], held: true, took_s: 1.5 };
  const { op_id } = operation();
  journal.close();
  const db = new DatabaseSync(join(folder, 'journal.sqlite'));
  const add = db.prepare("insert into events (server_id, type, at, data) values ('S1', ?, '', ?)");
  add.run('server.power', JSON.stringify(power));
  add.run('op.ended', JSON.stringify({ op_id }));
  add.run('server.gone', '{}');
  db.prepare(
    "insert into operations (id, server_id, kind, args, state, accepted) values (?, 'S1', 'collect', '{}', 'accepted', 0)",
  ).run(op_id);
  db.exec('pragma user_version = 0');
  db.close();
  journal = openJournal(folder);
  const { held: _, took_s, ...rest } = power;
  expect(journal.events.next(10).map(({ type, data }) => [type, data])).toEqual([
    ['server.power', { ...rest, crash_loop: true, duration_s: took_s }],
    ['operation.ended', { op_id }],
    ['server.deleted', {}],
  ]);
  expect(journal.operations.open()).toMatchObject([{ id: op_id, kind: 'archive' }]);
});
