import type { IncomingMessage } from 'node:http';
import { requestLanguage } from '../request-language.ts';

export interface PageKey {
  /** The cache key: build, site, language and address. */
  id: string;
  /** Path and query, sorted and without tracking parameters. */
  url: string;
  language: string;
}

const max_url = 2048;
const trail = /^(utm_|mtm_|pk_)|^(fbclid|gclid|msclkid|ref_src)$/;

/** Path and query with the keys sorted, values of one key in their order, tracking parameters removed. */
export function normalised(url: string): string {
  const at = url.indexOf('?');
  if (at === -1) return url;
  const query = new URLSearchParams(url.slice(at + 1));
  for (const name of [...query.keys()]) if (trail.test(name)) query.delete(name);
  query.sort();
  const text = query.toString();
  return text === '' ? url.slice(0, at) : `${url.slice(0, at)}?${text}`;
}

/** The cache key of the answer to `req`; null for what is never cached: other methods, endless addresses. */
export function pageKey(req: IncomingMessage, scope: string): PageKey | null {
  const { method, headers } = req;
  if ((method !== 'GET' && method !== 'HEAD') || !req.url || req.url.length > max_url) return null;
  const url = normalised(req.url);
  const language = requestLanguage(url, headers).tag;
  return { id: `${scope}\n${language}\n${url}`, url, language };
}

/**
 * Whether the sender may get another page than an anonymous visitor: the request may carry a session, or the values of a
 * refused form (`forms/form-cookie.ts`), or be on its way through a sign-in.
 */
export const isPersonalRequest = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined ||
  /(auth-token|-step|new-account|sign-in-return|\bform)=/.test(headers.cookie ?? '');
