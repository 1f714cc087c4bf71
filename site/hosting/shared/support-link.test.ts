import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { MessagesProvider } from '../../platform/text/MessagesContext.tsx';
import { SupportContext, SupportLink } from './SupportLink.tsx';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
const shown = (support: string | null, lifecycle: string, lifecycle_data: object): string =>
  renderToStaticMarkup(
    h(
      MessagesProvider,
      { messages: islandMessages(messages('en-US'), 'servers.'), query: '' },
      h(SupportContext, { value: support }, h(SupportLink, { server: { lifecycle, lifecycle_data } })),
    ),
  );

it('leads to support where only staff can help and the operator names a place', () => {
  const address = 'mailto:help@example.org';
  expect(shown(address, 'suspended', { reason: 'moderated' })).toContain(`href="${address}"`);
  expect(shown(null, 'suspended', { reason: 'moderated' })).toBe('');
  expect(shown(address, 'suspended', { reason: 'cancelled', until: '2026-12-06T12:00:00Z' })).toBe('');
  expect(shown(address, 'ready', {})).toBe('');
});
