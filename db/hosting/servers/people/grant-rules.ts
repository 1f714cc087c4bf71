import type { RefusalCode } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { ServerRight } from '../rights/rules.ts';
import { accessOf, type ServerFacts } from '../rules.ts';

/** Rules for giving rights on a server: asked after `whyNotHave.people`, by panels, sockets and commands alike. */

/** An invitation can be sent again after this time. */
export const resend_after_ms = 3_600_000;

/** Why `actor` may not give these rights, or take them from somebody, or null: nobody gives what they do not have. */
export function whyNotGrant(
  actor: Actor,
  server: ServerFacts,
  rights: readonly ServerRight[],
): RefusalCode | null {
  const { owner, rights: own } = accessOf(actor, server);
  return owner || rights.every((right) => own.includes(right)) ? null : 'server_rights_exceeded';
}

/** Why a person cannot be invited to the server, or null; `before`: what there is of them already. */
export function whyNotInvite(
  actor: Actor,
  { owner_id }: Pick<ServerFacts, 'owner_id'>,
  { user_id, before }: { user_id: string; before: 'member' | 'invited' | null },
): RefusalCode | null {
  if (user_id === owner_id) return 'server_person_owner';
  if (user_id === actor.user_id) return 'server_person_self';
  if (before === 'member') return 'server_person_there';
  return before === 'invited' ? 'server_person_invited' : null;
}
