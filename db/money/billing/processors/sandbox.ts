import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Refused } from '../../../platform/errors.ts';
import type { ChargeRequest, Outcome, Payments } from '../payments.ts';
import { isExpired } from '../rules.ts';
import { type SandboxOutcome, sandboxCards } from './sandbox-cards.ts';

/** How long a card that needs time takes, and the maximum age of a webhook. */
const needs_ms = 10_000;
const tolerance_s = 300;

const told = z.object({
  id: z.string().min(1).max(100),
  outcome: z.object({
    intent_id: z.string().min(1).max(200),
    state: z.enum(['succeeded', 'failed']),
    failure: z.string().max(100).nullable(),
  }),
});

/** The processor of demo installations: no money moves, the card number decides the outcome. It stores nothing. */
export const sandboxPayments: Payments = {
  name: 'test',
  enabled: true,
  test: true,
  webhook: { header: 'cairn-signature', key: { stored: 'test_payments' } },
  openCustomer: null,
  beginMethod: null,
  forgetMethod: null,
  forgetCustomer: null,
  list: null,
  feeOf: null,
  async resolveMethod(given, _customer, now) {
    if (!('number' in given)) throw new Refused('card_unknown');
    const { number, expires_month, expires_year } = given;
    const card = (sandboxCards as Record<string, { brand: string; does: SandboxOutcome }>)[number];
    if (!card) throw new Refused('card_unknown');
    if (isExpired(given, now)) throw new Refused('card_expired');
    return {
      // two cards that do the same are two methods
      reference: `${card.does}:${number.slice(-4)}`,
      brand: card.brand,
      last_four: number.slice(-4),
      expires_month,
      expires_year,
      // the reference names number and brand, and its date is a part of what is the same
      fingerprint: null,
    };
  },
  charge: async (ask) => ({ intent_id: intentOf(ask), ...decided(ask) }),
  async retrieve(intent_id, now) {
    const failure = /^test_fail_(\w+?)_[\da-f]{24}$/.exec(intent_id)?.[1];
    if (failure) return { intent_id, state: 'failed', failure };
    const began = Number(/^test_wait_(\d+)_/.exec(intent_id)?.[1] ?? 0);
    const state = now.getTime() - began >= needs_ms ? 'succeeded' : 'waiting';
    return { intent_id, state, failure: null };
  },
  async payInstead({ intent_id, reference, now }) {
    if ((await sandboxPayments.retrieve(intent_id, now)).state !== 'waiting') return null;
    const { state, failure } = decided({ reference, unattended: false });
    if (state === 'waiting') return intent_id;
    return state === 'failed' ? failing(intent_id, failure!) : `test_${hash(intent_id)}`;
  },
  async cancel(intent_id, now) {
    const { state } = await sandboxPayments.retrieve(intent_id, now);
    return state === 'waiting' ? failing(intent_id, 'cancelled') : intent_id;
  },
  refund: async () => {},
  async verify(secret, signature, body, now) {
    const [, at, given] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? [];
    const expected = Buffer.from(at ? sign(secret, at, body) : '');
    const shown = Buffer.from(given ?? '');
    if (!at || expected.length !== shown.length || !timingSafeEqual(expected, shown))
      throw new Refused('webhook_signature');
    if (Math.abs(now.getTime() / 1000 - Number(at)) > tolerance_s) throw new Refused('webhook_stale');
    const parsed = told.safeParse(jsonOf(body));
    if (!parsed.success) throw new Refused('invalid_input', { problem: 'The event is malformed.' });
    return { ...parsed.data, charge_id: null, dispute: null, fee: null };
  },
};

/** The signature of a webhook's body as the sandbox makes it, for tests and demos. */
export const signSandboxWebhook = (secret: string, body: string, now: Date): string => {
  const at = String(Math.floor(now.getTime() / 1000));
  return `t=${at},v1=${sign(secret, at, body)}`;
};

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24);
/** What a card does; methods that were stored earlier have no digits. */
const outcomeFor = (reference: string): SandboxOutcome => reference.split(':')[0] as SandboxOutcome;
const intentOf = ({ key, reference, unattended, now }: ChargeRequest): string =>
  outcomeFor(reference) === 'needs_time' && !unattended
    ? `test_wait_${now.getTime()}_${hash(key)}`
    : `test_${hash(key)}`;

/** The intent of a payment that fails for this reason. */
const failing = (intent_id: string, failure: string): string => `test_fail_${failure}_${hash(intent_id)}`;

function decided({
  reference,
  unattended,
}: Pick<ChargeRequest, 'reference' | 'unattended'>): Omit<Outcome, 'intent_id'> {
  switch (outcomeFor(reference)) {
    case 'succeeds':
      return { state: 'succeeded', failure: null };
    case 'fails_later':
      return unattended ? { state: 'failed', failure: 'declined' } : { state: 'succeeded', failure: null };
    case 'needs_time':
      return { state: unattended ? 'succeeded' : 'waiting', failure: null };
    case 'insufficient_funds':
      return { state: 'failed', failure: 'insufficient_funds' };
    default:
      return { state: 'failed', failure: 'declined' };
  }
}

const sign = (key: string, at: string, body: string) =>
  createHmac('sha256', key).update(`${at}.${body}`).digest('hex');

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // malformed JSON is refused by the schema as well
  }
}
