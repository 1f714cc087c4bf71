import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AgentEvent, agentEvents } from '#control/protocol/agent.ts';
import { eventsWithin, jsonBytes, newestLines, withinBytes } from '../state/event-size.ts';
import { openStateStore, type StateStore } from '../state/store.ts';
import { FakePlane } from '../testing/fake-plane.ts';
import { connect } from './client.ts';
import { Outbox } from './outbox.ts';

const crash = (line: string) => ({
  power: 'crashed' as const,
  generation: 1,
  epoch: null,
  started_at: null,
  exit_code: 137,
  out_of_memory: true,
  last_lines: Array.from({ length: 50 }, () => line),
  crash_loop: true,
  duration_s: null,
});
const lines = { ascii: 'x'.repeat(8_192), cjk: '漢'.repeat(8_192), escapes: '\u001b '.repeat(4_096) };

describe('the outbox', () => {
  let folder: string;
  let store: StateStore;
  let plane: FakePlane;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-outbox-'));
    store = openStateStore(folder);
    plane = new FakePlane('test');
    await plane.listen();
  });
  afterEach(async () => {
    await plane.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sends crash reports that are too large for a message, which an older agent recorded', async () => {
    const log = pino({ level: 'silent' });
    for (const line of [lines.escapes, lines.ascii, lines.ascii, lines.ascii, lines.cjk])
      store.events.record('server.power', 'S1', crash(line), 0);
    store.events.record('server.deleted', 'S1', {}, 0);
    const outbox = new Outbox(store, log);
    const onDisconnect = vi.fn(() => outbox.attach(null));
    const link = connect({
      ...{ urls: [plane.url], log, agent_version: '2.0.0', boot_id: randomUUID() },
      credentials: () => ({ join_token: 'join-me' }),
      onWelcome: ({ lease }, socket) => outbox.attach({ socket, lease }),
      onDisconnect,
      onRejected: () => {},
    });
    try {
      await vi.waitFor(() => expect(plane.events).toHaveLength(6), { timeout: 20_000 });
      expect(onDisconnect).not.toHaveBeenCalled();
      expect(plane.events.map(({ seq, type }) => [seq, type])).toEqual([
        ...[1, 2, 3, 4, 5].map((seq) => [seq, 'server.power']),
        [6, 'server.deleted'],
      ]);
      expect(plane.events[0]?.data).toMatchObject({ power: 'crashed', exit_code: 137, shortened: true });
      await vi.waitFor(() => expect(store.events.next(1)).toEqual([]), { timeout: 20_000 });
    } finally {
      link.close();
    }
  });
});

const event = (data: object): AgentEvent => ({
  ...{ seq: 1, server_id: 'S1', type: 'server.power', at: '2026-01-01T00:00:00.000Z' },
  data: data as AgentEvent['data'],
});

describe('an event', () => {
  it('that fits stays as it is', () => {
    const fits = event(crash('short'));
    expect(withinBytes(fits, 250_000)).toBe(fits);
  });

  it.each(Object.entries(lines))('with too many %s is cut to its limit and marked', (_, line) => {
    const cut = withinBytes(event(crash(line)), 100_000);
    expect(jsonBytes(cut)).toBeLessThanOrEqual(100_000);
    expect(agentEvents['server.power'].parse(cut.data)).toMatchObject({ power: 'crashed', shortened: true });
  });

  it('with too much of anything else retains its short values', () => {
    const result = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`name-${i}`, i]));
    const ended = event({ op_id: 'b5', state: 'done', result });
    const cut = withinBytes(ended, 50_000);
    expect(cut.data).toEqual({ op_id: 'b5', state: 'done', result: {}, shortened: true });
  });

  it('goes into the next batch when it is too large for this one', () => {
    const three = [1, 2, 3].map((seq) => ({ ...event(crash('x'.repeat(1_000))), seq }));
    const batch = eventsWithin(three, 2.5 * jsonBytes(three[0]));
    expect(batch.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe('last lines of a crash', () => {
  it('are the newest that fit', () => {
    expect(newestLines(['one', 'two', 'three'], 16)).toEqual(['two', 'three']);
    expect(newestLines([], 16)).toEqual([]);
  });

  it.each(Object.entries(lines))('of %s stay within their bytes, one at least', (_, line) => {
    const newest = newestLines(Array(50).fill(line), 32_768);
    expect(newest.length).toBeGreaterThan(0);
    expect(newest.reduce((sum, one) => sum + jsonBytes(one), 0)).toBeLessThanOrEqual(32_768);
  });
});
