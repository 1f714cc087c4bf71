import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operation, operationShapes } from '#control/protocol/agent.ts';
import type { AgentContext } from '../context.ts';
import { operationHandlers } from '../operations/operation-handlers.ts';
import type { ServerController } from '../server/controller.ts';
import type { OperationHandlers } from '../server/operation-handler.ts';
import { openStateStore } from '../state/store.ts';
import { Operations } from './operations.ts';

const now = 1_000_000;
const session = { lease: 3, plane_now: now };
let folder: string;
let context: AgentContext;
let finish: () => void;
let handlers: OperationHandlers;
const server = { id: 'S1', stored: { deleted: false } } as unknown as ServerController;
const onEnd = vi.fn();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-operations-'));
  const store = openStateStore(folder);
  const log = pino({ level: 'silent' });
  context = { store, log, now: () => now, onEventRecorded: () => {} } as unknown as AgentContext;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  onEnd.mockClear();
  handlers = {
    ...operationHandlers,
    kill: {
      ...operationHandlers.kill,
      run: async () => ({ state: 'done', result: { was_running: true } }),
      onInterrupted: async () => ({ state: 'done', result: {} }),
      onEnd,
    },
    backup_send: {
      ...operationHandlers.backup_send,
      bypasses_lock: false,
      run: async (_, { put }) => {
        await done;
        return { state: 'done', result: { bytes: put.length } };
      },
      onInterrupted: async () => ({ state: 'interrupted', result: {} }),
      onEnd,
    },
  };
});
afterEach(() => {
  context.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = () => new Operations(context, new Map([['S1', server]]), handlers);
const requested = (kind: string, args: object = {}, change: object = {}) =>
  operation.parse({
    ...{ op_id: randomUUID(), server_id: 'S1', kind, args, lease: 3 },
    ...{ not_after: new Date(now + 1_000).toISOString(), ...change },
  });
const backup = { backup_id: 'B1', engine: 'archive', target: 'node' };
const ends = () =>
  context.store.events.next(100).map(({ data }) => [data.op_id, data.state, data.result] as const);

describe('an operation', () => {
  it('runs once, however often it is sent, and its end is recorded', async () => {
    const operations = open();
    const kill = requested('kill');
    expect(operations.accept(kill, session)).toEqual({ status: 'accepted' });
    await vi.waitFor(() => expect(ends()).toEqual([[kill.op_id, 'done', { was_running: true }]]));
    expect(operations.accept(kill, session)).toEqual({ status: 'duplicate', state: 'done' });
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it('fails with the message of what its handler throws', async () => {
    handlers.kill.run = async () => {
      throw new Error('Docker refused');
    };
    const kill = requested('kill');
    open().accept(kill, session);
    await vi.waitFor(() => expect(ends()).toEqual([[kill.op_id, 'failed', { error: 'Docker refused' }]]));
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['under another lease', requested('kill', {}, { lease: 2 }), 'stale'],
    ['too late', requested('kill', {}, { not_after: new Date(now).toISOString() }), 'expired'],
    ['of an unknown server', requested('kill', {}, { server_id: 'S2' }), 'invalid'],
    ['without its arguments', requested('backup_send'), 'invalid'],
    [
      'with the path of another machine',
      requested('backup_send', { ...backup, put: '//elsewhere/x' }),
      'invalid',
    ],
    ['of an unknown kind', requested('dance'), 'unknown_kind'],
    ['of a kind named like a property of every object', requested('constructor'), 'unknown_kind'],
  ])('%s is refused and leaves nothing behind', (_, message, status) => {
    expect(open().accept(message, session)).toEqual({ status });
    expect(context.store.operations.unfinished()).toEqual([]);
  });

  it('has its server alone, unless its kind bypasses the lock', async () => {
    const operations = open();
    const sending = requested('backup_send', { ...backup, put: '/transfers?to=abc' });
    expect(operations.accept(sending, session)).toEqual({ status: 'accepted' });
    const second = requested('backup_send', { ...backup, put: '/transfers?to=def' });
    expect(operations.accept(second, session)).toEqual({ status: 'busy', by: 'backup_send' });
    expect(operations.accept(requested('kill'), session)).toEqual({ status: 'accepted' });
    finish();
    await vi.waitFor(() =>
      expect(ends()).toContainEqual([sending.op_id, 'done', { bytes: '/transfers?to=abc'.length }]),
    );
    expect(operations.accept(second, session)).toEqual({ status: 'accepted' });
  });

  it('that was interrupted ends as its kind says', async () => {
    const [kill, sending] = [
      requested('kill'),
      requested('backup_send', { ...backup, put: '/transfers?to=abc' }),
    ];
    const removed = requested('kill', {}, { server_id: 'S2' });
    const older = requested('dance');
    for (const one of [kill, sending, removed, older]) context.store.operations.accept(one, now);
    await open().resolveInterrupted();
    expect(ends().map(([id, state]) => [id, state])).toEqual([
      [kill.op_id, 'done'],
      [sending.op_id, 'interrupted'],
      [removed.op_id, 'interrupted'],
      [older.op_id, 'interrupted'],
    ]);
    expect(context.store.operations.unfinished()).toEqual([]);
  });
});

it('every kind of the protocol has a handler with the arguments of the protocol', () => {
  expect(Object.keys(operationHandlers)).toEqual(Object.keys(operationShapes));
  for (const [kind, { input }] of Object.entries(operationHandlers))
    expect(input).toBe(operationShapes[kind as keyof typeof operationShapes].input);
});
