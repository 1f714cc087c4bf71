import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Refused } from '../../../../platform/errors.ts';
import type { PayoutEvent } from '../../provider.ts';
import { type TremendousClient, unreachable } from './client.ts';
import { keyOf, outcomeOf, readOrder, readOrderOf } from './orders.ts';

/** Tremendous repeats a webhook for days; older ones are not needed, as payouts are asked for too. */
const tolerance_ms = 7 * 24 * 3_600_000;

const event = z.object({
  uuid: z.string().min(1).max(200),
  event: z.string().max(200),
  created_utc: z.string().max(60),
  payload: z
    .object({ resource: z.object({ id: z.string().min(1).max(100), type: z.string().max(60) }) })
    .nullish()
    .catch(null),
});

/**
 * Reads a webhook, see `PayoutProvider.verify`: signed by HMAC-SHA256 of its body with the private key of the webhook. What it
 * says happened is read again: webhooks come late and in any order. Refuses `payouts_unreachable` too, whereupon Tremendous
 * sends it again.
 */
export async function verifyWebhook(
  open: () => Promise<TremendousClient>,
  key: string,
  headers: Record<string, string>,
  body: string,
  now: Date,
): Promise<PayoutEvent> {
  const [, given = ''] = /^sha256=([\da-f]{64})$/i.exec(headers['tremendous-webhook-signature'] ?? '') ?? [];
  const expected = createHmac('sha256', key).update(body).digest();
  const shown = Buffer.from(given, 'hex');
  if (key === '' || shown.length !== expected.length || !timingSafeEqual(shown, expected))
    throw new Refused('webhook_signature');
  const parsed = event.safeParse(jsonOf(body));
  if (!parsed.success) throw new Refused('invalid_input', { problem: 'The event is malformed.' });
  const { uuid: id, event: name, created_utc, payload } = parsed.data;
  if (!(Math.abs(now.getTime() - Date.parse(created_utc)) <= tolerance_ms))
    throw new Refused('webhook_stale');
  const nothing = { id, key: null, outcome: null };
  const resource = payload?.resource;
  if (!resource || !/^(REWARDS|ORDERS)\./.test(name)) return nothing;
  try {
    const client = await open();
    const found = name.startsWith('ORDERS.')
      ? await readOrder(client, resource.id)
      : await readOrderOf(client, resource.id);
    const our_key = found && keyOf(found);
    // nothing is canceled here: the order may be somebody else's whose id looks like ours
    return our_key ? { id, key: our_key, outcome: outcomeOf(found) } : nothing;
  } catch (error) {
    throw unreachable(error);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
