import type { RefusalCode } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Scope } from '../../../platform/people/scopes/rules.ts';
import { type ServerFacts, whyNotHave } from '../rules.ts';

/** Rules for SFTP to the files of a server. */

/** Keys of one person for one server. */
export const max_keys = 20;
export const keyNameLengths = { least: 1, most: 48 } as const;
/** Letters of a password that is made here: 142 bits. */
export const password_letters = 24;
/** What a connection may do, whatever the account may. */
export const sftpScopes: readonly Scope[] = ['SERVER_READ', 'SERVER_WRITE'];

/** Why `actor` may not use SFTP on the server now, or null: as its panel, and not while it is suspended. */
export function whyNotSftp(actor: Actor | null, server: ServerFacts | null): RefusalCode | null {
  const why = whyNotHave.files(actor, server);
  if (why) return why;
  const { lifecycle } = server as ServerFacts;
  if (lifecycle === 'deprovisioning') return 'server_not_found';
  return lifecycle === 'suspended' ? 'server_suspended' : null;
}

/** The name that a person signs in with: accounts have no space in theirs, and IDs of servers no dot. */
export const loginName = (username: string, server_id: string): string => `${username}.${server_id}`;

/** Account and server of such a name, or null when it names none. */
export function parseLoginName(name: string): { username: string; server_id: string } | null {
  const [, username, server_id] = /^(.{1,60})\.([0-9A-Za-z]{1,11})$/.exec(name) ?? [];
  return username && server_id ? { username, server_id } : null;
}
