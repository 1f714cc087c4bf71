import type { Readable } from 'node:stream';
import {
  AddressRefused,
  type PublicRequestOptions,
  publicRequester,
} from '#db/platform/runtime/public-request.ts';

export type FetchOptions = PublicRequestOptions;

/** The image cannot be served. The reason is logged only; every client gets the same 404. */
export class NoImage extends Error {}

const redirects = new Set([301, 302, 303, 307, 308]);
const max_redirects = 3;

/**
 * Fetches `address` over http or https, and up to three redirects of it, each checked like the first (`publicRequester`).
 * Throws `NoImage` for any status but 200. `signal` aborts the whole fetch, the body included.
 */
export function imageFetcher(options: FetchOptions, userAgent: string) {
  const send = publicRequester(options);
  const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': userAgent };

  const once = (url: URL, signal: AbortSignal) =>
    send(url, { headers, signal }).catch((error: unknown) => {
      throw error instanceof AddressRefused ? new NoImage(error.message) : error;
    });

  return async (address: string, signal: AbortSignal): Promise<{ body: Readable; length: number | null }> => {
    if (!URL.canParse(address)) throw new NoImage('not an address');
    let url = new URL(address);
    for (let step = 0; step <= max_redirects; step++) {
      const { statusCode, headers: answered, body } = await once(url, signal);
      if (statusCode === 200) return { body, length: Number(answered['content-length']) || null };
      body.on('error', () => {}).destroy();
      const to = answered.location;
      if (!redirects.has(statusCode) || typeof to !== 'string' || !URL.canParse(to, url)) {
        throw new NoImage(`answered ${statusCode}`);
      }
      url = new URL(to, url);
    }
    throw new NoImage('too many redirects');
  };
}
