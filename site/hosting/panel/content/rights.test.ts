import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { type MemberRole, roleRights } from '#db/hosting/servers/rights/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { MessagesProvider } from '../../../platform/text/MessagesContext.tsx';
import { AccessContext } from '../core/access.ts';
import { panelTexts } from '../panel-texts.ts';
import { NothingYet } from './NothingYet.tsx';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
const server = { id: 'S1', kind: 'local', loader: 'fabric', game_version: '1.21.4' } as ServerView;

function rendered(role: MemberRole, types: string[]): string {
  const texts = islandMessages(messages('en-US'), ...panelTexts('content'));
  const nothing = h(NothingYet, { server, types });
  const access = { owner: false, rights: roleRights[role] };
  return renderToStaticMarkup(
    h(MessagesProvider, { messages: texts, query: '' }, h(AccessContext, { value: access }, nothing)),
  );
}

it.each([[['mod', 'datapack']], [['datapack']]])(
  'nobody is sent to choose what they may not install',
  (types) => {
    expect(rendered('editor', types)).toContain('href="/modpacks?sid=S1&amp;v=1.21.4&amp;v=1.20.2');
    const forViewer = rendered('viewer', types);
    expect(forViewer).not.toContain('href=');
    expect(forViewer).toContain('this permission on this server.');
  },
);
