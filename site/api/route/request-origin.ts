import type { Context } from 'hono';
import type { NewSession } from '#db/people/session.ts';
import type { AppServices } from '../../context.ts';
import type { ApiEnv } from './types.ts';

/**
 * Where a request came from, for `openSession`: the client's address, and its place as far as known. Every sign-in passes
 * it, so that people recognize their sessions. Source: api-v3 §4.1.
 */
export async function requestOrigin(
  c: Context<ApiEnv>,
  _services: AppServices,
): Promise<NonNullable<NewSession['from']>> {
  return { ip: c.get('address'), city: null, country: null };
}
