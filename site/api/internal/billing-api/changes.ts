import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type BillingContext,
  cancel,
  changePlan,
  checkout,
  collectCharge,
  confirmPayment,
  resubscribe,
} from '#db/billing/checkout.ts';
import { ownCharge, payWithMethod, subscriptionRecord } from '#db/billing/desk/records.ts';
import { rateOf, taxIn } from '#db/billing/invoices/rules.ts';
import type { GivenMethod } from '#db/billing/payments.ts';
import { previewPlanChange } from '#db/billing/plan-change/write.ts';
import { buyPlus } from '#db/billing/plus/checkout.ts';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { defaultVersion } from '#db/server-kinds/rules.ts';
import { idShape } from '#db/shape.ts';
import { authenticatedRoute } from '../../route/endpoint.ts';
import type { Api } from '../../route/types.ts';
import { dependent } from './dependency.ts';
import { changePlus, duePlus } from './plus.ts';
import { planOf, plusProduct, priceIdOf, ramOf } from './shapes.ts';

const tag = 'billing';
const text = z.string().max(200);
const interval = z.enum(['monthly', 'quarterly', 'yearly']);
const paidShape = z.object({
  payment_intent_id: z.string().nullable(),
  client_secret: z.string().nullable(),
  price_id: z.string(),
  tax: z.int(),
  total: z.int(),
  payment_method: z.string().nullable(),
});

/** What somebody changes about a subscription, and new payments. Source: api-v3 §6. */
export function billingChangeRoutes(api: Api, till: () => Promise<BillingContext>): void {
  /** What a payment came to: what it is called at the processor, and the secret with which its payer confirms it. */
  const paid = async (
    actor: Actor,
    where: { id: string } | { server_id: string | null },
    client_secret: string | null,
  ) => {
    const { sql, mailing } = await till();
    const one = await ownCharge(sql, actor, where);
    const tax = taxIn(one.amount, rateOf(mailing.settings.INVOICE_TAX_PERCENT ?? '0'));
    return {
      ...{ payment_intent_id: one.intent_id, client_secret, price_id: priceIdOf(one.ram_mb, one.currency) },
      ...{ tax, total: one.amount, payment_method: one.method_id },
    };
  };

  authenticatedRoute(api, {
    method: 'patch',
    path: '/billing/subscription/{id}',
    summary:
      'Change interval, size or card of a subscription, cancel it or take that back; a dry run tells what is due',
    tag,
    needs: ['SESSION_ACCESS'],
    params: z.object({ id: idShape }),
    query: z.object({ dry: z.enum(['true', 'false']).optional() }),
    body: z.object({
      interval: interval.optional(),
      payment_method: idShape.optional(),
      cancelled: z.boolean().optional(),
      region: text.optional(),
      product: text.optional(),
      op_id: z.uuid().optional(),
    }),
    handle: async ({ sql, actor, params, query, body, begin, now }) => {
      const one = await subscriptionRecord(sql, actor, params.id);
      const { server_id, ram_mb } = one;
      if (server_id === null || ram_mb === null) {
        const asked = { ...body, dry: query.dry === 'true' };
        const state = await changePlus(await till(), actor, one, asked, now);
        if (state === 'dry') return Response.json(duePlus(one, asked));
        if (state !== 'waiting') return undefined;
        const asks = await dependent(async () => confirmPayment(await till(), actor, null, now));
        return Response.json(await paid(actor, { server_id: null }, asks.client_secret));
      }
      if (body.region !== undefined && body.region !== one.region)
        throw new Refused('invalid_input', { problem: 'region: a server is moved on its own page.' });
      const wanted = {
        ...planOf(body.product === undefined ? ram_mb / 1024 : ramOf(body.product)),
        interval: body.interval ?? one.term,
      };
      const changes = body.product !== undefined || body.interval !== undefined;
      if (query.dry === 'true') {
        const due = changes ? await previewPlanChange(sql, actor, { ...wanted, server_id }, now) : null;
        const requires_payment = due?.kind === 'now' && due.due_minor > 0;
        return Response.json({ requires_payment, required_payment_is_proration: requires_payment });
      }
      const context = await till();
      const { payment_method, cancelled } = body;
      if (payment_method !== undefined)
        await begin((tx) => payWithMethod(tx, context.payments.name, actor, one.id, payment_method));
      if (cancelled === true) await cancel(context, actor, server_id, now);
      let state: string = 'paid';
      const how = { interval: body.interval ?? null, method: null };
      if (cancelled === false)
        state = await dependent(() => resubscribe(context, actor, server_id, how, now));
      else if (changes) {
        const asked = { ...wanted, server_id, op_id: body.op_id ?? randomUUID() };
        state = await dependent(() => changePlan(context, actor, asked, null, now));
      }
      if (state !== 'waiting') return undefined;
      const { client_secret } = await dependent(() => confirmPayment(context, actor, server_id, now));
      return Response.json(await paid(actor, { server_id }, client_secret));
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/payment',
    summary: 'Order a server or Plus, or try an open payment again',
    tag,
    needs: ['SESSION_ACCESS'],
    body: z.object({
      ...{
        type: z.enum(['payment_method', 'confirmation_token']),
        id: idShape.optional(),
        token: text.optional(),
      },
      charge: z.discriminatedUnion('type', [
        z.object({ type: z.literal('existing'), id: idShape }),
        z.object({ type: z.literal('new'), product_id: text, interval: interval.optional() }),
      ]),
      existing_payment_intent: text.optional(),
      op_id: z.uuid().optional(),
      currency: z.string().max(3).default('USD'),
      terms_accepted: z.boolean().default(false),
      metadata: z
        .object({
          server_name: text.optional(),
          server_region: text.optional(),
          source: z.unknown().optional(),
        })
        .optional(),
    }),
    answer: paidShape,
    handle: async ({ sql, actor, body, services, address, now }) => {
      const context = await till();
      const { charge, metadata = {} } = body;
      if (charge.type === 'existing') {
        await ownCharge(sql, actor, { id: charge.id });
        const settled = await dependent(() => collectCharge(context, charge.id, now));
        if (settled?.unanswered) throw new Refused('failed_dependency');
        if (settled?.state === 'failed')
          throw new Refused('payment_declined', { reason: settled.failure ?? 'declined' });
        return await paid(actor, { id: charge.id }, settled?.confirm ?? null);
      }
      const given: GivenMethod | null =
        body.type === 'payment_method' && body.id
          ? { stored: body.id }
          : body.token
            ? { confirmed: body.token }
            : null;
      if (charge.product_id === plusProduct) {
        const order = { interval: charge.interval ?? 'monthly', currency: body.currency };
        const op_id = body.op_id ?? randomUUID();
        const state = await dependent(() => buyPlus(context, actor, { ...order, op_id }, given, now));
        const asks = state === 'waiting' ? await confirmPayment(context, actor, null, now) : null;
        return await paid(actor, { server_id: null }, asks?.client_secret ?? null);
      }
      const kind = services.settings.SERVER_KIND;
      const input = {
        ...{
          op_id: body.op_id ?? randomUUID(),
          ...planOf(ramOf(charge.product_id)),
          kind,
          loader: null,
          starts: true,
        },
        ...{
          interval: charge.interval ?? 'monthly',
          currency: body.currency,
          terms_accepted: body.terms_accepted,
        },
        ...{ region: metadata.server_region ?? '', name: metadata.server_name ?? '' },
        game_version: defaultVersion(kind),
        address: services.settings.RATE_LIMIT_PER_MINUTE > 0 ? address : null,
      };
      if (!given) throw new Refused('card_required');
      const { server_id, state } = await dependent(() => checkout(context, actor, input, given, now));
      const asks = state === 'waiting' ? await confirmPayment(context, actor, server_id, now) : null;
      return await paid(actor, { server_id }, asks?.client_secret ?? null);
    },
  });
}
