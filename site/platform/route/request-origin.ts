import type { NewSession } from '#db/platform/people/session.ts';
import type { AppServices } from '../context.ts';
import { placeOfAddress } from '../http/place-of-address.ts';

type Origin = NonNullable<NewSession['from']>;

/**
 * Where a request from this client's address came from, for `openSession`: the address, and its place as far as known. Every
 * sign-in passes it, so that people recognize their sessions. Source: api-v3 §4.1.
 */
export const originOfAddress = async (address: string, services: AppServices): Promise<Origin> => ({
  ip: address,
  ...(await placeOfAddress(address, services)),
});
