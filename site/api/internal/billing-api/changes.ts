import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defaultVersion } from '#db/hosting/server-kinds/rules.ts';
import { type BillingContext, cancel } from '#db/money/billing/checkout.ts';
import { ownCharge, payWithMethod, subscriptionRecord } from '#db/money/billing/desk/records.ts';
import { rateOf, taxIn } from '#db/money/billing/invoices/rules.ts';
import { payExisting, payOrder, payPlanChange, payPlus, payRenewal } from '#db/money/billing/pay.ts';
import type { Payment } from '#db/money/billing/pay-charge.ts';
import type { GivenMethod } from '#db/money/billing/payments.ts';
import { previewPlanChange } from '#db/money/billing/plan-changes/write.ts';
import { renewsFree, whyNotResubscribe } from '#db/money/billing/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../../platform/route/endpoint.ts';
import { operationId } from '../../../platform/route/idempotency-key.ts';
import type { Api } from '../../../platform/route/types.ts';
import { dependent } from './dependency.ts';
import { changePlus, duePlus } from './plus.ts';
import { planOf, plusProduct, priceIdOf, ramOf } from './shapes.ts';
import { assertOneChange } from './subscription-change.ts';

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

/**
 * What somebody changes about a subscription, and new payments. Programs that know the original interface send no key with
 * these, so a repeated request is safe without one: an order like one that waits for its payment or was paid within ten
 * minutes is that one, `existing_payment_intent` goes on with the charge that has it, a change of plan is refused while one
 * is being paid and when the plan is there already, and so is renewing what runs. With the header Idempotency-Key, or
 * `op_id`, the same order or change twice is one. Source: api-v3 §6.
 */
export function billingChangeRoutes(api: Api, till: () => Promise<BillingContext>): void {
  /** What a payment came to: what it is called at the processor, and the secret with which its payer confirms it. */
  const paid = async (actor: Actor, id: string, client_secret: string | null) => {
    const { sql, mailing } = await till();
    const one = await ownCharge(sql, actor, { id, staff: true });
    const tax = taxIn(one.amount, rateOf(mailing.settings.INVOICE_TAX_PERCENT ?? '0'));
    return {
      ...{ payment_intent_id: one.intent_id, client_secret, price_id: priceIdOf(one.ram_mb, one.currency) },
      ...{ tax, total: one.amount, payment_method: one.method_id },
    };
  };
  /** The answer to a change: what is still to be confirmed, or nothing. */
  const changed = async (actor: Actor, { state, charge_id, confirm }: Payment) =>
    state === 'waiting' && charge_id !== null
      ? Response.json(await paid(actor, charge_id, confirm))
      : undefined;

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
    handle: async ({ sql, actor, params, query, body, request, begin, now }) => {
      const one = await subscriptionRecord(sql, actor, params.id);
      assertOneChange(actor, one, body);
      const { server_id, ram_mb } = one;
      if (server_id === null || ram_mb === null) {
        if (query.dry === 'true') return Response.json(duePlus(one, body));
        return await changed(
          actor,
          await dependent(async () => changePlus(await till(), actor, one, body, now)),
        );
      }
      const { payment_method, cancelled } = body;
      const wanted = {
        ...planOf(body.product === undefined ? ram_mb / 1024 : ramOf(body.product)),
        interval: body.interval ?? one.term,
      };
      const changes = cancelled === undefined && (body.product !== undefined || body.interval !== undefined);
      if (query.dry === 'true') {
        if (cancelled === false) assertAllowed(whyNotResubscribe(one.state));
        const due = changes ? await previewPlanChange(sql, actor, { ...wanted, server_id }, now) : null;
        const proration = due?.kind === 'now' && due.due_minor > 0;
        const renews = cancelled === false && !renewsFree(one);
        return Response.json({
          requires_payment: proration || renews,
          required_payment_is_proration: proration,
        });
      }
      const context = await till();
      const method = payment_method === undefined ? null : { stored: payment_method };
      if (cancelled === true) await cancel(context, actor, server_id, now);
      else if (cancelled === false) {
        const how = { interval: body.interval ?? null, method };
        return await changed(actor, await dependent(() => payRenewal(context, actor, server_id, how, now)));
      } else if (changes) {
        const asked = {
          ...wanted,
          server_id,
          op_id: operationId(actor, request, body.op_id) ?? randomUUID(),
        };
        return await changed(actor, await dependent(() => payPlanChange(context, actor, asked, method, now)));
      } else if (payment_method !== undefined)
        await begin((tx) => payWithMethod(tx, context.payments.name, actor, one.id, payment_method));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/payment',
    summary: 'Order a server or Plus, or pay what waits or has failed, with this or another method',
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
    handle: async ({ sql, actor, body, request, services, address, now }) => {
      const context = await till();
      const { charge, metadata = {}, existing_payment_intent: intent_id } = body;
      const given: GivenMethod | null =
        body.type === 'payment_method' && body.id
          ? { stored: body.id }
          : body.token
            ? { confirmed: body.token }
            : null;
      const answer = async (pay: () => Promise<Payment>) => {
        const { charge_id, confirm, unanswered } = await dependent(pay);
        if (unanswered && charge.type === 'existing') throw new Refused('failed_dependency');
        return await paid(actor, charge_id!, confirm);
      };
      if (charge.type === 'existing')
        return await answer(() => payExisting(context, actor, charge.id, given, now));
      const op_id = operationId(actor, request, body.op_id);
      const existing = intent_id === undefined ? null : await ownCharge(sql, actor, { intent_id });
      const common = { op_id, interval: charge.interval ?? 'monthly', currency: body.currency };
      if (charge.product_id === plusProduct)
        return await answer(() => payPlus(context, actor, common, { given, existing }, now));
      const kind = services.settings.SERVER_KIND;
      const input = {
        ...{ ...common, ...planOf(ramOf(charge.product_id)), kind, loader: null, starts: true },
        ...{ region: metadata.server_region ?? '', name: metadata.server_name ?? '' },
        ...{ game_version: defaultVersion(kind), terms_accepted: body.terms_accepted },
        address: services.settings.RATE_LIMIT_PER_MINUTE > 0 ? address : null,
      };
      if (!given) throw new Refused('card_required');
      return await answer(() => payOrder(context, actor, input, { given, existing }, now));
    },
  });
}
