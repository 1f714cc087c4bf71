import type { Context } from 'hono';
import type { NewSession } from '#db/people/session.ts';
import type { AppServices } from '../../context.ts';
import { placeOfAddress } from '../../http/place-of-address.ts';
import type { ApiEnv } from './types.ts';

type Origin = NonNullable<NewSession['from']>;

/**
 * Where a request came from, for `openSession`: the client's address, and its place as far as known. Every sign-in passes
 * it, so that people recognize their sessions. Source: api-v3 §4.1.
 */
export const requestOrigin = (c: Context<ApiEnv>, services: AppServices): Promise<Origin> =>
  originOfAddress(c.get('address'), services);

/** `requestOrigin` where only the client's address is at hand. */
export const originOfAddress = async (address: string, services: AppServices): Promise<Origin> => ({
  ip: address,
  ...(await placeOfAddress(address, services)),
});
