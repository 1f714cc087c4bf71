import { atom } from 'nanostores';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { panelForm } from './form.ts';
import type { requestFromPanel } from './open-panel.ts';
import { $connection } from './panel.store.ts';
import { followPanel, panelResource } from './resource.ts';

const { send, listeners } = vi.hoisted(() => {
  vi.resetModules(); // files of a worker share their modules, and another one may have loaded these
  return { send: vi.fn(), listeners: new Map<string, (message: unknown) => void>() };
});
vi.mock('./open-panel.ts', () => ({
  requestFromPanel: send satisfies typeof requestFromPanel,
  openedPanel: () => ({
    id: 'S1',
    on(event: string, listener: (message: unknown) => void) {
      listeners.set(event, listener);
      return () => listeners.delete(event);
    },
  }),
}));

const failure = (status: number) => ({
  ok: false,
  error: { status, code: 'x', description: 'no', details: {} },
});
const sleep = (after_minutes: number | null) => ({
  ok: true,
  data: { sleep: { after_minutes, motd: '' } },
});

afterAll(() => {
  vi.resetModules();
});
beforeEach(() => {
  send.mockReset();
  $connection.set('opening');
});

describe('what a panel loads', () => {
  it('is there once it was received, and says why it was refused', async () => {
    const { $data, $problem, load } = panelResource({ event: 'sleep.show', read: (answer) => answer.sleep });
    send.mockResolvedValueOnce(failure(403));
    await load();
    expect([$data.get(), $problem.get()?.status]).toEqual([null, 403]);
    send.mockResolvedValueOnce(sleep(5));
    await load();
    expect([$data.get()?.after_minutes, $problem.get()]).toEqual([5, null]);
  });

  it('says nothing without a connection, and keeps what is there', async () => {
    const { $data, $problem, load } = panelResource({ event: 'sleep.show', read: (answer) => answer.sleep });
    send.mockResolvedValueOnce(sleep(5)).mockResolvedValueOnce(failure(0));
    await load();
    await load();
    expect([$data.get()?.after_minutes, $problem.get()]).toEqual([5, null]);
  });

  it('says that an answer never came while there is a connection', async () => {
    const { $problem, load } = panelResource({ event: 'sleep.show', read: (answer) => answer.sleep });
    $connection.set('open');
    send.mockResolvedValueOnce(failure(0));
    await load();
    expect($problem.get()?.status).toBe(0);
  });

  it('leaves out an answer to what is not wanted any more, and sends nothing when nothing is', async () => {
    const $range = atom<'day' | null>('day');
    const message = () => {
      const range = $range.get();
      return range && { range };
    };
    const { $data, load } = panelResource({ event: 'figures.show', message, read: () => 'figures' });
    send.mockImplementationOnce(async () => {
      $range.set(null);
      return { ok: true, data: {} };
    });
    await load();
    await load();
    expect([$data.get(), send.mock.calls.length]).toEqual([null, 1]);
  });

  it('is loaded with each connection, and followed by events about this server', () => {
    const receive = vi.fn();
    const load = vi.fn(async () => {});
    const end = followPanel('backups', receive, load);
    expect(load).not.toHaveBeenCalled();
    $connection.set('open');
    listeners.get('backups')?.({ server_id: 'S2', backups: [] });
    listeners.get('backups')?.({ server_id: 'S1', backups: [] });
    expect([receive.mock.calls.length, load.mock.calls.length]).toEqual([1, 1]);
    $connection.set('lost');
    expect(listeners.size).toBe(0);
    $connection.set('open');
    end();
    expect([load.mock.calls.length, listeners.size]).toEqual([2, 0]);
  });
});

describe('a form of a panel', () => {
  const open = () => {
    const $data = atom<{ after_minutes: number | null } | null>(null);
    const form = panelForm({
      $data,
      draftOf: ({ after_minutes }) => ({ minutes: String(after_minutes) }),
      event: 'sleep.change',
      read: (answer) => answer.sleep,
    });
    return { $data, form };
  };

  it('keeps what was typed when it is loaded again, and takes it back', () => {
    const { $data, form } = open();
    $data.set({ after_minutes: 5 });
    form.edit({ minutes: '7' });
    $data.set({ after_minutes: 6 });
    expect(form.$draft.get()).toEqual({ minutes: '7' });
    form.reset();
    expect(form.$draft.get()).toEqual({ minutes: '6' });
  });

  it('shows what is stored once it is saved, until something is typed', async () => {
    const { $data, form } = open();
    $data.set({ after_minutes: 5 });
    send.mockResolvedValueOnce(sleep(8));
    const first = form.save({ after_minutes: 8, motd: '' });
    expect(form.$saving.get()).toBe(true);
    expect(await form.save({ after_minutes: 9, motd: '' })).toBe(false);
    expect(await first).toBe(true);
    expect([form.$draft.get(), $data.get()?.after_minutes, form.$saved.get()]).toEqual([
      { minutes: '8' },
      8,
      true,
    ]);
    form.edit({ minutes: '9' });
    expect([form.$saved.get(), form.$saving.get()]).toEqual([false, false]);
  });

  it('says why it was refused, and keeps what was typed', async () => {
    const { $data, form } = open();
    $data.set({ after_minutes: 5 });
    form.edit({ minutes: '7' });
    send.mockResolvedValueOnce(failure(422));
    expect(await form.save({ after_minutes: 7, motd: '' })).toBe(false);
    expect([form.$draft.get(), form.$refused.get()?.status]).toEqual([{ minutes: '7' }, 422]);
  });
});
