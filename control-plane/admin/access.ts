import type { Socket } from 'socket.io';
import { assertAllowed } from '#db/platform/errors.ts';
import { type Actor, hasScope, isAdmin } from '#db/platform/people/rules.ts';
import type { PlaneContext } from '../context.ts';
import type { StaffEvents, StaffRequests } from '../protocol/staff.ts';
import { authenticate, callerOf } from '../sockets/authenticate.ts';

/** Who may use the namespace of administrators. */

type StaffScope = 'SERVER_READ' | 'SERVER_WRITE';
export type StaffSocket = Socket<StaffRequests, StaffEvents>;

/** Why `actor` may not manage nodes and servers of others, or null. */
export const whyNotStaff = (actor: Actor, scope: StaffScope) =>
  !isAdmin(actor) ? 'admins_only' : hasScope(actor, scope) ? null : 'scope_missing';

/** The administrator behind a socket, read again. Refuses `admins_only` and `scope_missing`. */
export async function asStaff(
  context: Pick<PlaneContext, 'sql' | 'lastUsed' | 'now'>,
  socket: StaffSocket,
  scope: StaffScope,
): Promise<Actor> {
  const actor = await authenticate(context, callerOf(socket).token);
  assertAllowed(whyNotStaff(actor, scope), { scope });
  return actor;
}
