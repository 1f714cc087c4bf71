import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { type BackupState, backupStates, isInProgress } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { MessagesProvider } from '../../../platform/text/MessagesContext.tsx';
import { messageReader } from '../../../platform/text/message-reader.ts';
import { panelTexts } from '../panel-texts.ts';
import { BackupLine } from './BackupLine.tsx';
import { alwaysKept, numberWithin } from './retention.ts';
import { changedStates, failureText, lastWorkOf, shareDone, stateViews } from './state.ts';
import {
  isDeletable,
  isOffered,
  whyNotCreate,
  whyNotDownloadBackup,
  whyNotExport,
  whyNotWork,
} from './why-not.ts';

const backup = (state: BackupState, more: Partial<BackupView> = {}) =>
  ({ id: 'B1', name: 'Backup #1', state, progress: null, error: null, locked: false, ...more }) as BackupView;
const texts = islandMessages(messages('en-US'), ...panelTexts('backups'));
const reader = messageReader(texts);
const labels: Parameters<typeof whyNotWork>[0] = { ...reader, link: (path) => path };
const server = { lifecycle: 'ready', state: 'running' } as ServerView;

describe('states', () => {
  it('have a name each in every language', () => {
    for (const locale of ['en-US', 'de-DE', 'ar-SA']) {
      const { t } = messages(locale);
      expect(new Set(backupStates.map((state) => t(stateViews[state].text))).size).toBe(backupStates.length);
    }
  });

  it('offer what makes sense, and nothing but cancelling while something is in progress', () => {
    const actions = ['restore', 'download', 'verify', 'lock', 'retry', 'cancel'] as const;
    const offered = (state: BackupState) => actions.filter((action) => isOffered(action, backup(state)));
    expect(offered('done')).toEqual(['restore', 'download', 'verify', 'lock']);
    expect(offered('damaged')).not.toContain('restore');
    expect(offered('failed')).toEqual(['retry']);
    for (const state of backupStates.filter((state) => isInProgress(state)))
      expect(offered(state)).toEqual(state === 'deleting' ? [] : ['cancel']);
    expect(isDeletable(backup('failed'))).toBe(true);
    expect(isDeletable(backup('done', { locked: true }))).toBe(false);
    expect(isDeletable(backup('creating'))).toBe(false);
  });

  it('tell how much is done, never more than all', () => {
    expect(shareDone(backup('creating'))).toBe(null);
    expect(shareDone(backup('creating', { progress: { done: 5, total: null } }))).toBe(null);
    expect(shareDone(backup('creating', { progress: { done: 5, total: 20 } }))).toBe(0.25);
    expect(shareDone(backup('creating', { progress: { done: 30, total: 20 } }))).toBe(1);
  });
});

it('a size is said to be that of the compressed backup, beside what the backup holds', () => {
  // its types want the children among the props
  const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
  const stored = { bytes: 318 * 1024 ** 2, content_bytes: 980 * 1024 ** 2, files: 2_791, changed_count: 0 };
  const made = backup('done', {
    ...stored,
    created: '2026-11-30T12:00:00Z',
    game_version: '1.21.4',
    loader: null,
  });
  const line = h(BackupLine, { backup: made, isOpen: true });
  const html = renderToStaticMarkup(h(MessagesProvider, { messages: texts, query: '' }, line));
  const words = html.replace(/<[^>]*>/g, '');
  expect(words).toContain('Holds 980.00 MB, 2,791 files');
  expect(words).toContain('318.00 MB compressed');
});

describe('failures', () => {
  const { t } = messages('en-US');
  it('name what was in progress when it failed, in the words of the specification', () => {
    let last: Record<string, BackupState> = {};
    const failedAfter = (work: BackupState, state: BackupState) => {
      last = lastWorkOf([backup(work)], last);
      last = lastWorkOf([backup(state)], last);
      return t(failureText(backup(state), last.B1));
    };
    expect(failedAfter('creating', 'failed')).toBe('Failed to create backup');
    expect(failedAfter('restoring', 'done')).toBe('Failed to restore from backup');
    expect(failedAfter('preparing', 'done')).toBe('Failed to prepare download');
    expect(failedAfter('verifying', 'done')).toBe('Failed to verify backup');
    // nothing was seen in progress on this page
    expect(t(failureText(backup('done'), undefined))).toBe('The last action failed');
    expect(t(failureText(backup('failed'), undefined))).toBe('Failed to create backup');
  });

  it('forgets backups that are gone', () => {
    expect(lastWorkOf([], { B1: 'creating' })).toEqual({});
  });
});

it('announces those whose state changed, not new ones and not progress', () => {
  const before = [backup('creating', { progress: { done: 1, total: 2 } }), backup('done', { id: 'B2' })];
  const progress = [backup('creating', { progress: { done: 2, total: 2 } }), backup('done', { id: 'B2' })];
  expect(changedStates(progress, before)).toEqual([]);
  expect(changedStates([backup('done'), backup('queued', { id: 'B3' })], before).map(({ id }) => id)).toEqual(
    ['B1'],
  );
  expect(changedStates(before, null)).toEqual([]);
});

describe('why nothing can be done now', () => {
  const situation = { server, backups: [backup('done')], most: 15, isOpen: true };
  it('is said in words', () => {
    expect(whyNotCreate(labels, situation)).toBe(null);
    expect(whyNotWork(labels, { ...situation, isOpen: false })).toMatch(/Not connected/);
    expect(whyNotWork(labels, { ...situation, backups: [backup('queued')] })).toMatch(/Another backup/);
    for (const [change, words] of [
      [{ lifecycle: 'installing', state: 'installing' }, labels.t('error.server_not_ready')],
      [{ lifecycle: 'suspended' }, labels.t('error.server_suspended')],
      [{ state: 'unknown' }, labels.t('error.server_unreachable')],
    ] as const)
      expect(whyNotWork(labels, { ...situation, server: { ...server, ...change } })).toBe(words);
  });

  it('a full quota keeps from making one, and from nothing else', () => {
    const full = { ...situation, most: 1 };
    expect(whyNotCreate(labels, full)).toBe('This server has 1 backups already. Delete one first.');
    expect(whyNotWork(labels, full)).toBe(null);
  });

  it('in the grace period backups can be downloaded and everything taken away, after a suspension by staff not', () => {
    const of = (change: object) => ({ ...situation, server: { ...server, lifecycle_data: {}, ...change } });
    const grace = of({ lifecycle: 'suspended', lifecycle_data: { reason: 'cancelled' } });
    const moderated = of({ lifecycle: 'suspended', lifecycle_data: { reason: 'moderated' } });
    const suspended = labels.t('error.server_suspended');
    expect([whyNotDownloadBackup(labels, grace, backup('done')), whyNotExport(labels, grace)]).toEqual([
      null,
      null,
    ]);
    expect(whyNotExport(labels, { ...grace, backups: [backup('creating')] })).toMatch(/Another backup/);
    expect(whyNotDownloadBackup(labels, moderated, backup('done', { target: 'platform' }))).toBe(suspended);
    expect(whyNotExport(labels, moderated)).toBe(suspended);
    const away = of({ state: 'unknown' });
    const unreachable = labels.t('error.server_unreachable');
    expect(whyNotDownloadBackup(labels, away, backup('done', { target: 'node' }))).toBe(unreachable);
    expect(whyNotDownloadBackup(labels, away, backup('done', { target: 'platform' }))).toBe(null);
  });
});

describe('retention', () => {
  it('takes whole numbers within bounds', () => {
    const daily = (text: string) => numberWithin(text, [0, 15]);
    expect([' 7 ', '0', '15'].map(daily)).toEqual([7, 0, 15]);
    expect(['16', '-1', '1.5', '', '1e1', '٣'].map(daily)).toEqual([null, null, null, null, null, null]);
  });

  it('counts those that no rule removes', () => {
    const all = [
      backup('done', { automated: true }),
      backup('done', { automated: true, locked: true }),
      backup('done', { automated: false }),
    ];
    expect(alwaysKept(all)).toBe(2);
  });
});
