import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../plan/kinds.ts';
import type { ServerController } from '../server/controller.ts';
import { type BackupFixture, backupFixture } from '../testing/backups.ts';
import { withSavingOff } from './saving.ts';
import { settleBackups } from './settle-backups.ts';

let on: BackupFixture;
/** What was typed, and what happened between. */
let events: string[];
const process = { alive: true, epoch: 'one', writable: true, power: 'running' };
beforeEach(() => {
  on = backupFixture();
  events = [];
  Object.assign(process, { alive: true, epoch: 'one', writable: true, power: 'running' });
});
afterEach(() => on.end());

const hearers: ServerController['hearers'] = new Set();
const warnings: string[] = [];
const server = () =>
  ({
    id: 'S1',
    stored: { spec: { kind: 'local', disk_mb: 10 } },
    context: {
      store: on.store,
      backups: on.backups,
      kindOf: () => kinds.local,
      log: { warn: (_: object, text: string) => warnings.push(text), error: () => {} },
    },
    console: {
      get epoch() {
        return process.epoch;
      },
      writeUnseen: async (text: string) => {
        if (process.writable) events.push(text);
        if (text === 'save-all flush') for (const hear of hearers) hear('[12:00:00] Saved the game');
        return process.writable;
      },
    },
    get observed() {
      return { alive: process.alive };
    },
    power: () => process.power,
    refresh: async () => ({ alive: process.alive }),
    hearers,
    reconcile: () => {},
  }) as unknown as ServerController;
const { signal } = new AbortController();
const isOff = () => on.store.journal.find('S1', 'saving_off') !== null;
const copy = async () => {
  expect(isOff()).toBe(true);
  events.push('copy');
};

describe('saving', () => {
  it('is off while files are read, after everything was written, and on again', async () => {
    await withSavingOff(server(), signal, copy);
    expect(events).toEqual(['save-off', 'save-all flush', 'copy', 'save-on']);
    expect(isOff()).toBe(false);
  });

  it('is on again when the copy fails', async () => {
    const failing = withSavingOff(server(), signal, async () => {
      throw new Error('full');
    });
    await expect(failing).rejects.toThrow('full');
    expect(events.at(-1)).toBe('save-on');
    expect(isOff()).toBe(false);
  });

  it('stays alone while no process listens', async () => {
    for (const change of [{ alive: false }, { power: 'starting' }]) {
      Object.assign(process, { alive: true, power: 'running' }, change);
      await withSavingOff(server(), signal, async () => void events.push('copy'));
    }
    expect(events).toEqual(['copy', 'copy']);
  });

  it.each([{ alive: false }, { epoch: 'two' }])('needs nothing once its process ended', async (change) => {
    await withSavingOff(server(), signal, async () => void Object.assign(process, change));
    expect(events).toEqual(['save-off', 'save-all flush']);
    expect(isOff()).toBe(false);
  });

  it('is turned on later when the console does not take it, by a later agent too', async () => {
    await withSavingOff(server(), signal, async () => {
      process.writable = false;
    });
    expect(isOff()).toBe(true);
    await settleBackups(server());
    expect(isOff()).toBe(true);
    process.writable = true;
    await settleBackups(server());
    expect(events).toEqual(['save-off', 'save-all flush', 'save-on']);
    expect(isOff()).toBe(false);
  });

  it('is not turned on for a backup that still runs', async () => {
    on.store.journal.save('S1', 'saving_off', { epoch: 'one' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = on.backups.run({ op_id: 'op', server_id: 'S1', heavy: true }, () => promise);
    await settleBackups(server());
    expect(events).toEqual([]);
    resolve();
    await running;
    await settleBackups(server());
    expect(events).toEqual(['save-on']);
  });
});
