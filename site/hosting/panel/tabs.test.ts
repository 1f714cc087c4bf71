import { existsSync } from 'node:fs';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { MessagesProvider } from '../../platform/text/MessagesContext.tsx';
import { PanelTabs } from './PanelNav.tsx';
import { panelTabIds, panelTabs } from './tabs.ts';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
const pages = new URL('../../pages/servers/manage/[id]', import.meta.url);

it.each(panelTabIds)('the tab %s has a page, and a room for its state if it has a connection', (id) => {
  const { path, rooms } = panelTabs[id];
  const found = [`${pages}${path}.astro`, `${pages}${path}/index.astro`];
  expect(found.some((one) => existsSync(new URL(one)))).toBe(true);
  if (rooms.length > 0) expect(rooms).toContain('state');
});

it('shows the tabs that the user may open, and which one is open', () => {
  const tabs = createElement(PanelTabs, {
    id: 'S1',
    tabs: ['overview', 'billing'],
    current: 'overview',
  });
  const texts = islandMessages(messages('en-US'), 'servers.');
  const html = renderToStaticMarkup(h(MessagesProvider, { messages: texts, query: '?hl=en-US' }, tabs));
  expect(html).toContain('<a href="/servers/manage/S1?hl=en-US" aria-current="page">Overview</a>');
  expect(html).toContain('<a href="/servers/manage/S1/options/billing?hl=en-US">Billing</a>');
});
