import { stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { Settings } from '#db/platform/runtime/env.ts';
import type { Sealer } from '#db/platform/secrets/seal.ts';
import { cookie } from './cookies.ts';

/**
 * A secret that the next page shows, once: a new token, a client secret. A form sent without scripts cannot be answered
 * with it, and an address would keep it, so it travels in a sealed cookie that no script reads and that the page deletes.
 */
export interface ShownOnce {
  /** What it belongs to: the id of the token or app. */
  id: string;
  secret: string;
}

interface Sealing {
  settings: Settings;
  sealer: Sealer;
}

const ttl_s = 120;
const shape = z.object({ id: z.string(), secret: z.string(), until: z.number() });
const nameOf = (siteUrl: string): string =>
  siteUrl.startsWith('https:') ? '__Host-shown-once' : 'shown-once';
const purposeOf = (user_id: string): string => `shown_once:${user_id}`;

const text = (siteUrl: string, value: string, maxAge: number): string =>
  stringifySetCookie({
    name: nameOf(siteUrl),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: siteUrl.startsWith('https:'),
    maxAge,
  });

/** The Set-Cookie text that brings a secret to the next page of `user_id` that asks for it. */
export function shownOnceCookie(
  { settings, sealer }: Sealing,
  user_id: string,
  shown: ShownOnce,
  now: Date,
): string {
  const until = now.getTime() + ttl_s * 1000;
  const sealed = sealer.seal(JSON.stringify({ ...shown, until }), purposeOf(user_id));
  return text(settings.SITE_URL, sealed, ttl_s);
}

interface OncePage {
  request: Request;
  response: { headers: Headers };
  locals: { services: Sealing; now: Date };
}

/** The secret that was brought for `user_id`, and deletes its cookie; null without one. */
export function takeShownOnce({ request, response, locals }: OncePage, user_id: string): ShownOnce | null {
  const { settings, sealer } = locals.services;
  const sealed = cookie(request, nameOf(settings.SITE_URL));
  if (sealed === null) return null;
  response.headers.append('set-cookie', text(settings.SITE_URL, '', 0));
  const opened = sealer.open(sealed, purposeOf(user_id));
  const { id, secret, until } = shape.safeParse(opened === null ? null : JSON.parse(opened)).data ?? {};
  if (id === undefined || secret === undefined || until === undefined) return null;
  return until > locals.now.getTime() ? { id, secret } : null;
}
