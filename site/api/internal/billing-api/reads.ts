import { z } from 'zod';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import { beginMethod, customerOf } from '#db/money/billing/customers.ts';
import {
  paymentRecords,
  serverRecords,
  subscriptionRecords,
  whoseRecords,
} from '#db/money/billing/desk/records.ts';
import { rateOf } from '#db/money/billing/invoices/rules.ts';
import { makePrimary, methodsOf, removeMethod } from '#db/money/billing/methods.ts';
import { isAdmin } from '#db/platform/people/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, publicRoute } from '../../../platform/route/endpoint.ts';
import type { Api } from '../../../platform/route/types.ts';
import { assertAdminKey } from '../admin.ts';
import { dependent } from './dependency.ts';
import {
  paymentJson,
  paymentShape,
  productShape,
  products,
  subscriptionJson,
  subscriptionShape,
} from './shapes.ts';

const tag = 'billing';
const whose = z.object({ user_id: idShape.optional() });
const methodShape = z.object({
  id: z.string(),
  type: z.literal('card'),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }),
  is_primary: z.boolean(),
});

/** What is sold, and what somebody pays for with what. Source: api-v3 §6. */
export function billingReadRoutes(api: Api, till: () => Promise<BillingContext>): void {
  publicRoute(api, {
    method: 'get',
    path: '/billing/products',
    summary: 'What is sold, with its prices in every currency in minor units',
    tag,
    answer: z.array(productShape),
    handle: async () => products(),
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/subscriptions',
    summary: 'Your subscriptions, or for staff those of somebody',
    tag,
    needs: ['SESSION_ACCESS'],
    query: whose,
    answer: z.array(subscriptionShape),
    handle: async ({ sql, actor, query, services }) => {
      const rate = rateOf(services.settings.INVOICE_TAX_PERCENT ?? '0');
      const found = await subscriptionRecords(sql, whoseRecords(actor, query.user_id));
      return found.map((one) => subscriptionJson(one, rate));
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/payments',
    summary: 'Your payments and refunds, or for staff those of somebody',
    tag,
    needs: ['SESSION_ACCESS'],
    query: whose,
    answer: z.array(paymentShape),
    handle: async ({ sql, actor, query }) => {
      const found = await paymentRecords(sql, whoseRecords(actor, query.user_id));
      return found.map((one) => paymentJson(one, isAdmin(actor)));
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/customer',
    summary: 'What you are called at the payment processor, opened when there is none',
    tag,
    needs: ['SESSION_ACCESS'],
    answer: z.object({ id: z.string().nullable(), platform: z.string() }),
    handle: async ({ sql, actor, now }) => {
      const { payments } = await till();
      const id = await dependent(() => customerOf(sql, payments, actor.user_id, now));
      return { id, platform: payments.name };
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/payment_method',
    summary: 'Begin a payment method that your browser enters at the payment processor',
    tag,
    needs: ['SESSION_ACCESS'],
    answer: z.object({ client_secret: z.string() }),
    handle: async ({ sql, actor, now }) => {
      const { payments } = await till();
      return await dependent(() => beginMethod(sql, payments, actor, now));
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/payment_methods',
    summary: 'Your payment methods',
    tag,
    needs: ['SESSION_ACCESS'],
    answer: z.array(methodShape),
    handle: async ({ sql, actor }) => {
      const { payments } = await till();
      return (await methodsOf(sql, actor.user_id, payments.name)).map((one) => ({
        ...{ id: one.id, type: 'card' as const, is_primary: one.is_primary },
        card: {
          brand: one.brand,
          last4: one.last_four,
          exp_month: one.expires_month,
          exp_year: one.expires_year,
        },
      }));
    },
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/billing/payment_method/{id}',
    summary: 'Make a payment method the primary one',
    tag,
    needs: ['SESSION_ACCESS'],
    params: z.object({ id: idShape }),
    body: z.object({ primary: z.literal(true) }),
    handle: async ({ actor, params, begin }) => {
      const { payments } = await till();
      await begin((tx) => makePrimary(tx, payments.name, actor, params.id));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/billing/payment_method/{id}',
    summary: 'Remove a payment method',
    tag,
    needs: ['SESSION_ACCESS'],
    params: z.object({ id: idShape }),
    handle: async ({ sql, actor, params, now }) => {
      const { payments } = await till();
      await dependent(() => removeMethod(sql, payments, actor, params.id, now));
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/billing/active_servers',
    summary: 'Servers that are paid for, for programs of the operator',
    tag,
    query: z.object({
      subscription_status: z.enum(['provisioned', 'unprovisioned']).default('provisioned'),
      after: idShape.optional(),
    }),
    answer: z.array(
      z.object({
        user_id: z.string(),
        server_id: z.string(),
        price_id: z.string(),
        interval: z.string(),
        region: z.string().nullable(),
        subscription_id: z.string(),
      }),
    ),
    handle: async ({ sql, query, request, services }) => {
      assertAdminKey(services.settings, request);
      const found = await serverRecords(sql, query.subscription_status === 'provisioned', query.after ?? '');
      return found.map((one) => {
        const { price_id, interval } = subscriptionJson(one, 0);
        const { user_id, server_id, region } = one;
        return { user_id, server_id, price_id, interval, region, subscription_id: one.id };
      });
    },
  });
}
