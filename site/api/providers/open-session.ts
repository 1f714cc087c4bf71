import { rememberNetwork } from '#db/people/known-networks.ts';
import { openSession, type Session } from '#db/people/session.ts';
import type { AppServices } from '../../context.ts';
import { networkOf } from '../../http/address.ts';
import { originOfAddress } from '../route/request-origin.ts';

interface Opening {
  user_id: string;
  request: Request;
  /** The client's address. */
  address: string;
  now: Date;
}

/** A session for somebody whom a provider named, or whom a session of this browser names. */
export async function openProviderSession(
  services: AppServices,
  { user_id, request, address, now }: Opening,
): Promise<Session & { session: string }> {
  const user_agent = request.headers.get('user-agent');
  const from = await originOfAddress(address, services);
  const session = await openSession(services.sql, { user_id, user_agent, from, now });
  await rememberNetwork(services.sql, user_id, networkOf(address), now);
  return { ...session, session: session.session! };
}
