import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { MessagesProvider } from '../../platform/text/MessagesContext.tsx';
import { BackupHint } from './BackupHint.tsx';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
const hint = (backups: object): string =>
  renderToStaticMarkup(
    h(
      MessagesProvider,
      { messages: islandMessages(messages('en-US'), 'servers.'), query: '' },
      h(BackupHint, { id: 'S1', backups }),
    ),
  );
const at = '2026-12-06T12:00:00Z';

it('says until the first backup that there is none, and when it comes', () => {
  expect(hint({ last: null, next: at })).toMatch(/No backup yet.*runs after December 6, 2026/);
  expect(hint({ last: null, next: null })).toMatch(/No backup yet.*automated backups are off/);
  expect(hint({ last: null, next: null })).toContain('href="/servers/manage/S1/backups"');
});

it('says from then on when the newest was made', () => {
  expect(hint({ last: at, next: null })).toMatch(/Last backup: December 6, 2026/);
  expect(hint({ last: at, next: at })).not.toContain('No backup yet');
});
