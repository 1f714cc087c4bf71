import type { Context } from 'hono';
import { z } from 'zod';
import { type BillingContext, cancel, checkout, handleWebhook, resubscribe } from '#db/billing/checkout.ts';
import { paymentProcessor } from '#db/billing/processors/select.ts';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { hasScope } from '#db/people/rules.ts';
import { kindOffers } from '#db/server-kinds/rules.ts';
import type { AppServices } from '../../context.ts';
import { addressOf, cardOf, orderStateOf } from '../../servers/checkout/order-state.ts';
import { reasonOf } from '../../servers/checkout/refusals.ts';
import { authenticate } from '../route/authenticate.ts';
import { errorResponse } from '../route/error-response.ts';
import { formRoute } from '../route/form.ts';
import { bodyText } from '../route/json-body.ts';
import type { Api, ApiEnv } from '../route/types.ts';

const text = z.string().max(200);
const orderShape = z.object({
  op_id: z.uuid(),
  plan: text,
  gb: z.coerce.number().int().optional(),
  interval: text,
  region: text,
  currency: text,
  card: text.optional(),
  name: text,
  game_version: text.optional(),
  loader: text.optional(),
  terms: text.optional(),
  hl: text.optional(),
});
const serverShape = z.object({ server_id: text, hl: text.optional() });
const resumeShape = serverShape.extend({ interval: text.optional(), card: text.optional() });

const webhook_bytes = 64 * 1024;

/** The routes for orders and cancellations from our own pages, and for webhooks of payment processors. */
export function billingRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const payments = paymentProcessor(settings);
  const till = async (): Promise<BillingContext> => ({ sql, payments, board: await services.queue() });

  formRoute(api, '/billing/order', {
    page: (given, code) => backToStep(given, code),
    shape: orderShape,
    async submit({ c, fields, now }) {
      const actor = await who(c, now);
      const kind = settings.SERVER_KIND;
      const { card, gb, terms, game_version, loader, hl: _, ...rest } = fields;
      const input = {
        ...rest,
        kind,
        ram_gb: gb ?? null,
        game_version: game_version ?? kindOffers[kind].game_version,
        loader: !loader || loader === 'vanilla' ? null : loader,
        terms_accepted: terms === 'on',
        address: settings.RATE_LIMIT_PER_MINUTE > 0 ? c.get('address') : null,
      };
      if (payments.enabled && rest.plan !== 'trial' && !cardOf(card ?? null))
        throw new Refused('card_required');
      const bought = await checkout(await till(), actor, input, chosen(card, now), now);
      return {
        to: `/servers/manage?order=${bought.server_id}${hlOf(fields.hl, '&')}`,
        answer: { ...bought },
      };
    },
  });

  formRoute(api, '/billing/cancel', {
    page: backToBilling,
    shape: serverShape,
    async submit({ c, fields, now }) {
      await cancel(await till(), await who(c, now), fields.server_id, now);
      return { to: backToBilling(fields), answer: {} };
    },
  });

  formRoute(api, '/billing/resubscribe', {
    page: backToBilling,
    shape: resumeShape,
    async submit({ c, fields, now }) {
      const how = { interval: fields.interval ?? null, card: chosen(fields.card, now) };
      const state = await resubscribe(await till(), await who(c, now), fields.server_id, how, now);
      return { to: backToBilling(fields), answer: { state } };
    },
  });

  api.post(`/billing/webhook/${payments.name}`, async (c) => {
    try {
      const body = await bodyText(c.req.raw, webhook_bytes);
      const signature = c.req.header('cairn-signature') ?? null;
      return c.json({ heard: await handleWebhook(await till(), signature, body, services.now()) });
    } catch (error) {
      return errorResponse(c, error, { create_errors: false });
    }
  });
}

async function who(c: Context<ApiEnv>, now: Date): Promise<Actor> {
  const actor = await authenticate(c, now);
  if (!actor) throw new Refused('authentication_required');
  if (!hasScope(actor, 'SERVER_CREATE')) throw new Refused('scope_missing', { scope: 'SERVER_CREATE' });
  return actor;
}

/** The chosen test card; it never expires. */
const chosen = (digits: string | undefined, now: Date) => {
  const card = cardOf(digits ?? null);
  return card && { number: card.number, expires_month: 12, expires_year: now.getUTCFullYear() + 5 };
};

const hlOf = (hl: unknown, before: string) =>
  typeof hl === 'string' ? `${before}hl=${encodeURIComponent(hl)}` : '';

/** The step of the order where the user can correct a refused field, with all choices kept. */
function backToStep(given: Record<string, unknown>, code: string): string {
  const typed = Object.entries(given).filter((one): one is [string, string] => typeof one[1] === 'string');
  const query = new URLSearchParams(typed);
  const rest = new URLSearchParams({ error: code });
  for (const name of ['name', 'game_version', 'loader', 'terms', 'hl'])
    if (query.has(name)) rest.set(name, query.get(name)!.slice(0, 200));
  if (code === 'authentication_required') rest.delete('error');
  const step = `${addressOf(orderStateOf(query, 'en-US'), { step: reasonOf(code).step })}&${rest}`;
  // the session expired meanwhile: sign in, then return to the step
  return code === 'authentication_required' ? `/auth/sign-in?redirect=${encodeURIComponent(step)}` : step;
}

function backToBilling(given: Record<string, unknown>, code?: string): string {
  const id = /^[0-9A-Za-z]{1,11}$/.exec(String(given.server_id))?.[0];
  if (!id) return '/servers/manage';
  const query = `${code ? `?error=${code}` : '?done=1'}${hlOf(given.hl, '&')}`;
  return `/servers/manage/${id}/options/billing${query}`;
}
