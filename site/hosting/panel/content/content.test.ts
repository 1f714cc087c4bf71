import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import type { ChangeView, ContentItem } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { MessagesProvider } from '../../../platform/text/MessagesContext.tsx';
import { messageReader } from '../../../platform/text/message-reader.ts';
import { panelTexts } from '../panel-texts.ts';
import { ChangeNews } from './ChangeNews.tsx';
import { addressOfCatalogue } from './catalogue.ts';
import { currentChange, failedStart, isCancellable, shareDone } from './change.ts';
import { kindText, reasonText, stepText } from './change-text.ts';
import { $ownChange, $restartDue } from './content.store.ts';
import { folderOf, typeOfFile } from './folders.ts';
import { counts, firstQuery, shownItems, titleOf } from './listing.ts';
import { whyNotChangeContent } from './why-not.ts';

const texts = islandMessages(messages('en-US'), ...panelTexts('content'));
const reader = messageReader(texts);
const labels: Parameters<typeof whyNotChangeContent>[0] = { ...reader, link: (path: string) => path };
const server = {
  id: 'S1',
  kind: 'local',
  lifecycle: 'ready',
  state: 'running',
  loader: 'fabric',
  game_version: '1.21.4',
} as ServerView;
const item = (title: string, more: Partial<ContentItem> = {}) =>
  ({
    ...{
      path: `mods/${title}.jar`,
      file_name: `${title}.jar`,
      type: 'mod',
      bytes: 1,
      modified: 1,
      enabled: true,
    },
    ...{ project: { title }, version: { version_number: '1.0' }, update: null, problem: null },
    ...more,
  }) as ContentItem;
const change = (step: ChangeView['step'], more: Partial<ChangeView> = {}) =>
  ({ id: step, kind: 'update', step, count: 1, start_failed: false, progress: null, ...more }) as ChangeView;

describe('the list', () => {
  const items = [
    item('b', { bytes: 5, enabled: false }),
    item('A10', { modified: 9 }),
    item('a2', { project: null, problem: 'wrong_loader' }),
  ];
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const shown = (query: Partial<typeof firstQuery>) =>
    shownItems(items, { ...firstQuery, ...query }, compare).map(titleOf);

  it('is found by title, file name and version, every word of it', () => {
    expect(shown({ text: 'jar A10' })).toEqual(['A10']);
    expect(shown({ text: ' 1.0  b ' })).toEqual(['b']);
    expect(shown({ text: 'nowhere' })).toEqual([]);
  });
  it('is in order of its titles, newest or largest first', () => {
    expect(shown({})).toEqual(['a2.jar', 'A10', 'b']);
    expect(shown({ order: 'modified' })[0]).toBe('A10');
    expect(shown({ order: 'size' })[0]).toBe('b');
  });
  it('is filtered, and the filters say how much they show', () => {
    expect(shown({ filter: 'disabled' })).toEqual(['b']);
    expect(counts(items)).toEqual({ all: 3, enabled: 2, disabled: 1, updates: 0, unknown: 1, problems: 1 });
  });
});

it('puts files where the server loads them from, and knows those that it does not load', () => {
  expect([folderOf('mod', []), folderOf('datapack', [])]).toEqual(['mods', 'world/datapacks']);
  const pack = item('x', { type: 'datapack', path: 'valley/datapacks/x.zip' });
  expect(folderOf('datapack', [pack])).toBe('valley/datapacks');
  expect(typeOfFile('A.JAR', ['plugin', 'datapack'])).toBe('plugin');
  expect(typeOfFile('a.zip', ['mod', 'datapack'])).toBe('datapack');
  expect(typeOfFile('a.jar', ['datapack'])).toBe(null);
});

it('leads to content that fits', () => {
  expect(addressOfCatalogue(server, 'mod')).toBe('/mods?sid=S1&g=fabric&v=1.21.4');
  expect(addressOfCatalogue({ ...server, loader: 'paper' }, 'plugin')).toMatch(/g=paper&g=spigot&g=bukkit/);
  expect(addressOfCatalogue(server, 'datapack')).toBe('/datapacks?sid=S1&v=1.21.4');
  expect(addressOfCatalogue(server, 'modpack')).toBe('/modpacks?sid=S1&v=1.21.4&v=1.20.2&v=1.16.5');
  expect(addressOfCatalogue({ ...server, kind: 'itzg' }, 'modpack')).toMatch(/sid=S1&v=26\.2&v=/);
});

describe('changes', () => {
  it('go on one at a time, and only the newest that failed to start is offered to be taken back', () => {
    expect(currentChange([change('done'), change('applying')])?.step).toBe('applying');
    expect(currentChange([change('done'), change('failed'), change('cancelled')])).toBe(null);
    const broken = change('done', { start_failed: true });
    expect(failedStart([change('failed'), broken])).toBe(broken);
    expect(failedStart([change('done'), broken])).toBe(null);
    expect(failedStart([change('undone', { start_failed: true })])).toBe(null);
  });
  it('can be cancelled before they change files', () => {
    expect(
      ['stopping', 'safety', 'erasing', 'applying'].map((step) => isCancellable(change(step as never))),
    ).toEqual([true, true, false, false]);
  });
  it('tell how much is done, never more than all', () => {
    expect(shareDone(change('applying'))).toBe(null);
    expect(shareDone(change('applying', { progress: { done: 5, total: 20 } }))).toBe(0.25);
    expect(shareDone(change('applying', { progress: { done: 30, total: 20 } }))).toBe(1);
  });
  it('have words for what they are, where they are and why they failed', () => {
    expect(labels.count(kindText(change('done', { kind: 'install' })), 2)).toBe('Installation of 2 files');
    expect(labels.t(stepText(change('safety')))).toBe('Creating a backup first');
    expect(reasonText(labels, { code: 'disk_full', retryable: true })).toMatch(/disk/);
    expect(reasonText(labels, { code: 'odd_thing', retryable: false })).toBe('Error code: odd_thing.');
  });
  it('say in one bar that they are done and wait for a restart, with both buttons', () => {
    const own = change('done', { undoable: true });
    $ownChange.set(own.id);
    $restartDue.set(true);
    // its types want the children among the props
    const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
    const news = h(ChangeNews, { server, changes: [own], isOpen: true });
    const html = renderToStaticMarkup(h(MessagesProvider, { messages: texts, query: '' }, news));
    expect(html.match(/class="say /g)).toHaveLength(1);
    expect(html.match(/<button[^>]*>[^<]*/g)?.map((one) => one.replace(/.*>/, ''))).toEqual([
      'Undo',
      'Restart',
    ]);
    $ownChange.set(null);
    $restartDue.set(false);
  });
});

it('says why nothing can be changed', () => {
  const why = (given: { changes?: ChangeView[]; isOpen?: boolean; state?: string }) =>
    whyNotChangeContent(labels, {
      ...{ changes: given.changes ?? [], isOpen: given.isOpen ?? true },
      server: { ...server, state: (given.state ?? 'running') as ServerView['state'] },
    });
  expect(why({})).toBe(null);
  expect(why({ isOpen: false })).toMatch(/Not connected/);
  expect(why({ changes: [change('applying')] })).toMatch(/Another change/);
  expect(why({ state: 'unknown' })).toBe(labels.t('error.server_unreachable'));
});
