import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { MessagesProvider } from '../../platform/text/MessagesContext.tsx';
import { SuspendedUntil } from './SuspendedUntil.tsx';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
const sentence = (lifecycle: string, lifecycle_data: object): string =>
  renderToStaticMarkup(
    h(
      MessagesProvider,
      { messages: islandMessages(messages('en-US'), 'servers.'), query: '' },
      h(SuspendedUntil, { server: { lifecycle, lifecycle_data } }),
    ),
  );

it('says when a suspended server is deleted, where it is', () => {
  const until = '2026-12-06T12:00:00Z';
  expect(sentence('suspended', { reason: 'cancelled', until })).toBe(
    'It will be deleted for good on December 6, 2026.',
  );
  expect(sentence('suspended', { reason: 'moderated' })).toBe('');
  expect(sentence('ready', { until })).toBe('');
});
