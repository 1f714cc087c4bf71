import { describe, expect, it } from 'vitest';
import {
  canBecome,
  changed,
  chosen,
  isBusy,
  nextToStart,
  shownFirst,
  totalsOf,
  type UploadItem,
  type UploadState,
  uploadStates,
} from './upload-queue.ts';

const item = (key: string, state: UploadState, more: Partial<UploadItem> = {}): UploadItem => ({
  ...{ key, path: key, bytes: 100, state, sent: 0, choice: null, existing: null, modified: 0, problem: '' },
  ...more,
});

/** What may follow each state, written out; every other step is impossible. */
const expected: Record<UploadState, string> = {
  conflict: 'queued skipped',
  queued: 'sending paused conflict failed',
  sending: 'waiting paused placing conflict failed',
  waiting: 'sending paused placing failed',
  paused: 'queued',
  placing: 'waiting done skipped conflict failed',
  done: '',
  skipped: '',
  failed: 'queued',
};

describe('an upload', () => {
  it.each(uploadStates)('that is %s goes on only as the table says', (from) => {
    const next = uploadStates.filter((to) => to !== from && canBecome(from, to));
    expect(next.sort()).toEqual(expected[from].split(' ').filter(Boolean).sort());
  });

  it('ignores an answer that came too late', () => {
    const queue = [item('a', 'paused', { sent: 40 }), item('b', 'sending')];
    expect(changed(queue, 'a', { state: 'sending', sent: 50 })[0]).toBe(queue[0]);
    expect(changed(queue, 'b', { state: 'sending', sent: 50 })[1]).toMatchObject({ sent: 50 });
  });
});

describe('the queue', () => {
  it('starts the next ones in their order, a few at once', () => {
    const queue = [item('a', 'sending'), item('b', 'conflict'), item('c', 'queued'), item('d', 'queued')];
    expect(nextToStart(queue, 2)).toEqual(['c']);
    expect(nextToStart(queue, 3)).toEqual(['c', 'd']);
    expect(nextToStart(queue, 1)).toEqual([]);
    expect(nextToStart([item('a', 'waiting'), item('b', 'queued')], 1)).toEqual([]);
  });

  it('takes a choice for one file, or for all that wait for one', () => {
    const queue = [item('a', 'conflict'), item('b', 'conflict'), item('c', 'sending')];
    const one = chosen(queue, 'a', 'replace', false);
    expect(one.map(({ state }) => state)).toEqual(['queued', 'conflict', 'sending']);
    expect(one[0]!.choice).toBe('replace');
    expect(chosen(queue, 'a', 'skip', true).map(({ state }) => state)).toEqual([
      ...['skipped', 'skipped', 'sending'],
    ]);
  });

  it('counts what is sent, without what was skipped', () => {
    const queue = [
      item('a', 'done', { sent: 0 }),
      item('b', 'sending', { sent: 30 }),
      item('c', 'skipped'),
      item('d', 'failed', { sent: 10 }),
    ];
    expect(totalsOf(queue)).toEqual({
      ...{ files: 4, ended: 2, failed: 1, conflicts: 0, paused: 0, sent: 140, bytes: 300 },
    });
  });

  it.each(uploadStates)('with a file that is %s says whether leaving loses something', (state) => {
    expect(isBusy([item('a', 'done'), item('b', state)])).toBe(
      !['done', 'skipped', 'failed'].includes(state),
    );
  });

  it('shows first what needs somebody, then what runs', () => {
    const queue = [
      ...[item('done', 'done'), item('queued', 'queued'), item('sending', 'sending')],
      ...[item('failed', 'failed'), item('conflict', 'conflict')],
    ];
    expect(shownFirst(queue, 3).map(({ key }) => key)).toEqual(['conflict', 'failed', 'sending']);
  });
});
