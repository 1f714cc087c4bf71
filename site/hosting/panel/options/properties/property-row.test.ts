import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { MessagesProvider } from '../../../../platform/text/MessagesContext.tsx';
import { panelTexts } from '../../panel-texts.ts';
import { PropertyRow } from './PropertyRow.tsx';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;

it.each([
  ['pvp', 'false', 'true', 'On'],
  ['hardcore', 'true', 'false', 'Off'],
])('the default of %s is said in the words of its choices', (key, value, usual, word) => {
  const property = { key, value, default: usual, group: 'players', repeated: false, problem: null };
  const row = h(PropertyRow, { property, problem: null, isLocked: false });
  const texts = islandMessages(messages('en-US'), ...panelTexts('properties'));
  const html = renderToStaticMarkup(h(MessagesProvider, { messages: texts, query: '' }, row));
  expect(html).toContain(`>Default: \u2068${word}\u2069<`);
});
