import { startSession } from '#db/accounts/sign-in/start-session.ts';
import type { Session } from '#db/platform/people/session.ts';
import type { AppServices } from '../../platform/context.ts';
import { placeOf } from '../sign-in/sign-in-steps.server.ts';

interface Opening {
  user_id: string;
  request: Request;
  /** The client's address. */
  address: string;
  now: Date;
  /** The account was just created. */
  is_new?: boolean;
}

/**
 * A session for somebody who gave all that is asked for: for an account that was just created, or beside a session that the
 * browser keeps.
 */
export async function openSessionBeside(
  services: AppServices,
  { user_id, request, address, now, is_new = false }: Opening,
): Promise<Session & { session: string }> {
  const place = await placeOf(services, { request, address });
  const session = (await services.sql.begin((tx) =>
    startSession(tx, services, { user_id, place, now, is_new }),
  )) as Session;
  return { ...session, session: session.session! };
}
