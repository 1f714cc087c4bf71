import { createVerify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Refused } from '../../../../platform/errors.ts';
import { memoizeFor } from '../../../../platform/runtime/memoize.ts';
import { LocalLimiter } from '../../../../platform/runtime/rate-limit.ts';
import type { PayoutEvent } from '../../provider.ts';
import { NoAnswer, type PaypalHttp, unreachable } from './http.ts';
import { itemShape, outcomeOfItem } from './states.ts';

/** PayPal repeats a webhook for three days; an hour for clocks that differ. */
const tolerance_ms = (3 * 24 + 1) * 3_600_000;

const event = z.object({
  id: z.string().min(1).max(200),
  event_type: z.string().max(200),
  resource: z
    .object({ payout_item_id: z.string().min(1).max(100) })
    .nullish()
    .catch(null),
});

/** PayPal has few certificates and changes them seldom: more look-ups than so many are forged webhooks. */
const look_ups = { count: 10, per_ms: 60_000 };
/** So long an address without a certificate is not asked again. */
const failed_ms = 60_000;

/** Gives the certificate at an address of PayPal. Throws `NoAnswer`. */
export type Certificates = (address: string) => Promise<X509Certificate>;

/**
 * Certificates that PayPal signs webhooks with, kept by their address. They come by TLS from PayPal's own host and from
 * nowhere else: the address in a webhook is anybody's word. The live host is not the sandbox's, and the other way round.
 * Look-ups are shared, failed ones for a minute, and at most ten a minute: forged webhooks must not send requests without end.
 */
export function paypalCertificates(http: PaypalHttp, api: string): Certificates {
  const { protocol, host } = new URL(api);
  const origin = `${protocol}//${host.replace(/^api-m\.(sandbox\.)?paypal\.com$/, 'api.$1paypal.com')}`;
  // apart from the look-ups, so that addresses that somebody made up push none out
  const kept = new LRUCache<string, X509Certificate>({ max: 10 });
  const limiter = new LocalLimiter(look_ups, 1);
  const lookUp = memoizeFor(
    failed_ms,
    async ({ path }: { path: string }) => {
      if (!limiter.hit('', performance.now()).allowed)
        throw new NoAnswer('PayPal is asked for too many certificates.');
      const certificate = certificateOf(await http.fetchText(path));
      kept.set(path, certificate);
      return certificate;
    },
    { keyOf: ({ path }) => path, failed_ms },
  );
  return async (address) => {
    const url = URL.canParse(address) ? new URL(address) : null;
    const known = url && (url.origin === origin || url.origin === `${protocol}//${host}`);
    if (!known || !/^\/v1\/notifications\/certs\/[\w-]{1,100}$/.test(url.pathname) || url.username !== '')
      throw new Refused('webhook_signature');
    const path = url.origin + url.pathname;
    return kept.get(path) ?? (await lookUp({ path }));
  };
}

function certificateOf(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new NoAnswer('PayPal answered with no certificate.');
  }
}

/**
 * Reads a webhook, see `PayoutProvider.verify`. Its signature is checked here and not by PayPal's call for that: the body
 * need not be repeated byte for byte, and a webhook is judged while the API is slow. The webhook's id is part of what is
 * signed, so that those of other accounts are not taken. What it says happened is read again: webhooks come late and in
 * any order. Refuses `payouts_unreachable` too, whereupon PayPal sends it again.
 */
export async function verifyWebhook(
  http: PaypalHttp,
  certificates: Certificates,
  webhook_id: string,
  headers: Record<string, string>,
  body: string,
  now: Date,
): Promise<PayoutEvent> {
  try {
    await checkSignature(certificates, webhook_id, headers, body, now);
    const parsed = event.safeParse(jsonOf(body));
    if (!parsed.success) throw new Refused('invalid_input', { problem: 'The event is malformed.' });
    const { id, event_type, resource } = parsed.data;
    if (!event_type.startsWith('PAYMENT.PAYOUTS-ITEM.') || !resource) return { id, key: null, outcome: null };
    const path = `/v1/payments/payouts-item/${encodeURIComponent(resource.payout_item_id)}`;
    const answer = await http.call('GET', path);
    if (answer.status === 404) return { id, key: null, outcome: null };
    const item = itemShape.safeParse(answer.body);
    if (answer.status !== 200 || !item.success)
      throw new NoAnswer(`PayPal told nothing of an item: ${answer.status}.`);
    const outcome = outcomeOfItem(item.data, event_type.endsWith('.CANCELED'));
    return { id, key: item.data.payout_item.sender_item_id ?? null, outcome };
  } catch (error) {
    throw unreachable(error);
  }
}

async function checkSignature(
  certificates: Certificates,
  webhook_id: string,
  headers: Record<string, string>,
  body: string,
  now: Date,
): Promise<void> {
  const given = (name: string) => headers[`paypal-${name}`] ?? '';
  const [id, time, signature] = ['transmission-id', 'transmission-time', 'transmission-sig'].map(given);
  const all = id && time && signature && webhook_id !== '' && given('auth-algo') === 'SHA256withRSA';
  if (!all || signature.length > 1000) throw new Refused('webhook_signature');
  const certificate = await certificates(given('cert-url'));
  const signed = `${id}|${time}|${webhook_id}|${crc32(body)}`;
  const genuine = createVerify('RSA-SHA256')
    .update(signed)
    .verify(certificate.publicKey, signature, 'base64');
  if (!genuine || now < certificate.validFromDate || now > certificate.validToDate)
    throw new Refused('webhook_signature');
  const age = now.getTime() - Date.parse(time);
  if (!(Math.abs(age) <= tolerance_ms)) throw new Refused('webhook_stale');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
