import { createContext, useContext } from 'react';
import type { ServerAccess, ServerFacts, whyNotSee } from '#db/hosting/servers/rules.ts';
import type { RefusalCode } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { MessageReader } from '../../../platform/text/message-reader.ts';
import { refusalText } from '../../shared/refusal-text.ts';
import { $access } from './panel.store.ts';

/** What the user may do on the server of the page: the rules of the control plane, asked with what it said about the user. */

type Rule = typeof whyNotSee;

/** Stands for the user in the rules. */
export const me: Actor = {
  ...{ user_id: 'me', username: '', role: 'developer', scopes: 'all', interactive: true },
  email_verified: true,
};
/** The server with the user on it, as the rules take it. */
export const serverFacts = ({ owner, rights }: ServerAccess): ServerFacts => ({
  owner_id: owner ? me.user_id : '',
  members: [{ user_id: me.user_id, rights }],
  ...{ lifecycle: 'ready', power: 'stopped' },
});

/** What `rule` says to a user with this access. */
export const refusalFor = (access: ServerAccess, rule: Rule): RefusalCode | null =>
  rule(me, serverFacts(access));

/** Why a rule does not allow the user something, in words; null when it does, and before it is known. */
export function whyNotAllowed(labels: MessageReader, rule: Rule): string | null {
  const access = $access.get();
  const error = access && refusalFor(access, rule);
  return error && refusalText(labels, { error, description: '' });
}

/** The same of something that needs a connection. */
export const whyNotNow = (labels: MessageReader, isOpen: boolean, rule: Rule): string | null =>
  isOpen ? whyNotAllowed(labels, rule) : labels.t('servers.line_lost');

/** What the user of the page may do on its server, as it is now; an order that is none yet is the user's own. */
export const AccessContext = createContext<ServerAccess>({ owner: true, rights: [] });

/** Whether a rule allows the user something: for what is not shown without it. */
export const useAllowed = (rule: Rule): boolean => refusalFor(useContext(AccessContext), rule) === null;
