import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { FormError } from './form-definition.ts';

/**
 * What a form sent without scripts is led back with: what was wrong, and what was typed. It lies in a cookie that no
 * script reads, not in the address, which histories and logs keep. Passwords and
 * other secrets of the form are never in it.
 */
export interface SubmittedForm {
  action: string;
  errors: FormError[];
  values: Record<string, string>;
}

const ttl_s = 300;
/** Of one that goes on after a step elsewhere: a mail has to arrive. */
const resumed_ttl_s = 3600;
/** Browsers keep cookies of 4,096 bytes, their attributes included. */
const max_characters = 3_800;
const max_bytes = 64 * 1024;

const shape = z.object({
  action: z.string(),
  errors: z.array(
    z.object({
      field: z.string().nullable(),
      text: z.string(),
      step: z.object({ text: z.string(), to: z.string() }).optional(),
    }),
  ),
  values: z.record(z.string(), z.string()),
});

// on https no other host of our domain can set a cookie of that name
const nameOf = (siteUrl: string): string => (siteUrl.startsWith('https:') ? '__Host-form' : 'form');

/**
 * The Set-Cookie text for `form`; the longest values are left out while it is too long for a browser. `goesOn`: it is kept for
 * an hour, because something is resolved elsewhere first.
 */
export function formCookie(form: SubmittedForm, siteUrl: string, goesOn = false): string {
  const values = { ...form.values };
  let text = packed({ ...form, values });
  while (text.length > max_characters) {
    const [longest] = Object.keys(values).sort((a, b) => values[b]!.length - values[a]!.length);
    if (longest === undefined) break;
    delete values[longest];
    text = packed({ ...form, values });
  }
  return stringifySetCookie({
    name: nameOf(siteUrl),
    value: text,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: siteUrl.startsWith('https:'),
    maxAge: goesOn ? resumed_ttl_s : ttl_s,
  });
}

/** The form that was led back last; null without one, or when the cookie is not ours. */
export function submittedForm(request: Request, siteUrl: string): SubmittedForm | null {
  const text = parseCookie(request.headers.get('cookie') ?? '')[nameOf(siteUrl)];
  if (!text) return null;
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: max_bytes });
    return shape.parse(JSON.parse(json.toString()));
  } catch {
    return null; // broken or not ours: the form is shown as it was never sent
  }
}

const packed = (form: SubmittedForm): string =>
  deflateRawSync(Buffer.from(JSON.stringify(form))).toString('base64url');
