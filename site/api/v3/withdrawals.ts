import { z } from 'zod';
import { decimalOfMinor } from '#db/money/billing/revenue/rules.ts';
import { payoutDetailsOf } from '#db/money/payouts/details.ts';
import { limitTexts, offeredMethod, offeredMethods } from '#db/money/payouts/methods.ts';
import type { WithdrawalContext } from '#db/money/payouts/payout-context.ts';
import { requestPayout } from '#db/money/payouts/request.ts';
import { feeOf, feeRuleOf, whyNotAmount } from '#db/money/payouts/rules.ts';
import { cancelPayout } from '#db/money/payouts/send.ts';
import { taxFormTypes } from '#db/money/payouts/tax/rules.ts';
import { hearOfPayout } from '#db/money/payouts/webhook.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import { newId } from '#db/platform/id.ts';
import type { AppServices } from '../../platform/context.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import { errorResponse } from '../../platform/route/error-response.ts';
import { idempotencyKey } from '../../platform/route/idempotency-key.ts';
import { bodyText } from '../../platform/route/json-body.ts';
import { document } from '../../platform/route/openapi.ts';
import type { Api } from '../../platform/route/types.ts';
import { decimal, methodShape, methodView, receiverOf, withdrawalShape } from './payout-shapes.ts';

const tag = 'payouts';
const webhook_bytes = 256 * 1024;

/** Those whose webhooks are known by an address, whether they are in use or not. */
const heard = ['paypal', 'tremendous', 'bank', 'test'] as const;

/** Withdrawing: methods, fees, payouts and their cancelation, the tax form, and what providers say of them. Source: api-v3 §3.12. */
export function withdrawalRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/payout',
    summary: 'Withdraw money; send the header Idempotency-Key to be able to repeat the request',
    tag,
    needs: ['PAYOUTS_WRITE'],
    body: withdrawalShape,
    handle: async ({ services, sql, actor, body, request, now }) => {
      const kept = await payoutDetailsOf(sql, actor.user_id);
      const op_id = idempotencyKey(request) ?? newId();
      await requestPayout(
        contextOf(services),
        actor,
        {
          ...{ op_id, type: body.method, method_id: body.method_id, amount_minor: body.amount },
          ...receiverOf(body, kept),
        },
        now,
      );
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/payout/fees',
    summary: 'What a withdrawal would cost, and what would arrive',
    tag,
    needs: 'any token',
    body: withdrawalShape,
    answer: z.object({ net_usd: decimal, fee: decimal, exchange_rate: decimal.nullable() }),
    handle: async ({ services, sql, actor, body }) => {
      const kept = body.country ? null : await payoutDetailsOf(sql, actor.user_id);
      const country = body.country ?? kept?.country ?? 'US';
      const wanted = { country, type: body.method, id: body.method_id };
      const method = await offeredMethod(services.payouts, wanted);
      assertAllowed(whyNotAmount(method, country, body.amount), limitTexts(method, country));
      const fee_minor = feeOf(feeRuleOf(method, country), body.amount);
      return {
        net_usd: decimalOfMinor(body.amount - fee_minor),
        fee: decimalOfMinor(fee_minor),
        exchange_rate: method.exchange_rate === null ? null : String(method.exchange_rate),
      };
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/payout/methods',
    summary: 'The ways to be paid in a country',
    tag,
    query: z.object({ country: z.string().max(2).optional() }),
    answer: z.array(methodShape),
    handle: async ({ services, query: { country = 'US' } }) =>
      (await offeredMethods(services.payouts, country)).map((method) => methodView(method, country)),
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/payout/{id}',
    summary: 'Cancel a payout in transit',
    tag,
    needs: ['PAYOUTS_WRITE'],
    params: z.object({ id: z.string().max(100) }),
    handle: async ({ services, params, actor, now }) => {
      await cancelPayout(contextOf(services), actor, params.id, now);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/payout/compliance',
    summary: 'Ask for a tax form: gives the address where it is filled in and signed',
    tag,
    needs: ['PAYOUTS_WRITE'],
    body: z.object({ form_type: z.enum(taxFormTypes) }),
    answer: z.object({ form_type: z.enum(taxFormTypes), signing_link: z.string() }),
    handle: async ({ services, actor, body: { form_type }, begin, now }) => {
      const { link } = await begin((tx) => services.taxForms.request(tx, actor.user_id, form_type, now));
      return { form_type, signing_link: link };
    },
  });

  for (const name of heard) {
    const path = `/payout/_${name}`;
    const summary = `What ${name} says about payouts, signed by it`;
    document(api, { method: 'post', path, summary, tag, raw: ['application/json'] }, { reads: [] });
    api.post(path, async (c) => {
      try {
        const services = c.get('services');
        const body = await bodyText(c.req.raw, webhook_bytes, services.settings);
        const headers = Object.fromEntries(c.req.raw.headers);
        const said = { name, headers, body };
        await hearOfPayout(contextOf(services), said, services.now());
        return c.body(null, 204);
      } catch (error) {
        return errorResponse(c, error, { create_errors: false });
      }
    });
  }
}

const contextOf = (services: AppServices): WithdrawalContext => ({
  ...services,
  providers: services.payouts,
  mailing: services,
});
