import { z } from 'zod';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import { creditDays } from '#db/money/billing/desk/credits.ts';
import { endServiceByStaff, serviceSteps, subscriptionOfCharge } from '#db/money/billing/desk/end-service.ts';
import { updateRegions } from '#db/money/billing/desk/regions.ts';
import { maxCreditDays, maxCredited, maxUpdated } from '#db/money/billing/desk/rules.ts';
import { issueInvoiceByStaff } from '#db/money/billing/invoices/write.ts';
import { maxReason, whyNotManageBilling } from '#db/money/billing/refunds/rules.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, publicRoute } from '../../../platform/route/endpoint.ts';
import { requiredOperationId } from '../../../platform/route/idempotency-key.ts';
import type { Api } from '../../../platform/route/types.ts';
import { assertAdminKey } from '../admin.ts';

const tag = 'billing';
const charge = z.object({ id: idShape });
const reason = z.string().max(2 * maxReason);

/** What administrators do with payments, and the operator's manager of servers. Source: api-v3 §6. */
export function billingStaffRoutes(api: Api, till: () => Promise<BillingContext>): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/charge/{id}/refund',
    summary:
      'Give back a payment or a part of it, with the service or without; once for each Idempotency-Key or op_id, of which one is needed',
    tag,
    needs: ['SESSION_ACCESS'],
    params: charge,
    body: z.object({
      type: z.enum(['full', 'partial', 'none']),
      amount: z.int().optional(),
      unprovision: z.boolean().default(false),
      reason: reason.default('By the API.'),
      op_id: z.uuid().optional(),
    }),
    handle: async ({ actor, params, body, request, begin, now }) => {
      assertAllowed(whyNotManageBilling(actor));
      const desk = await till();
      const { type, amount, unprovision: takes_service, reason } = body;
      // no money moves: the second time finds nothing to do
      if (type === 'none')
        await begin(async (tx) => {
          const subscription_id = await subscriptionOfCharge(tx, params.id);
          await endServiceByStaff(tx, desk.board, actor, { subscription_id, step: 'take', reason }, now);
        });
      else {
        const op_id = requiredOperationId(actor, request, body.op_id);
        const amount_minor = type === 'full' ? null : (amount ?? 0);
        // the key says what a request that is sent again has seen
        const input = { op_id, charge_id: params.id, amount_minor, seen_minor: null, reason, takes_service };
        await begin((tx) => refundByStaff(tx, desk, actor, input, now));
      }
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/subscription/{id}/end',
    summary: 'End a service now or with its period, or void its charge that was not sent; gives nothing back',
    tag,
    needs: ['SESSION_ACCESS'],
    params: z.object({ id: idShape }),
    body: z.object({ step: z.enum(serviceSteps), reason }),
    handle: async ({ actor, params, body, begin, now }) => {
      const { board } = await till();
      await begin((tx) => endServiceByStaff(tx, board, actor, { ...body, subscription_id: params.id }, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/charge/{id}/tax/reprocess',
    summary: 'Issue the invoice of a payment that has none',
    tag,
    needs: ['SESSION_ACCESS'],
    params: charge,
    handle: async ({ actor, params, begin, services, now }) => {
      const { payments } = await till();
      await begin((tx) => issueInvoiceByStaff(tx, actor, services.settings, payments, params.id, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/billing/credit',
    summary:
      'Extend subscriptions by days: named ones, or those of servers on nodes or in a region; once for each Idempotency-Key or op_id, of which one is needed',
    tag,
    needs: ['SESSION_ACCESS'],
    body: z
      .object({
        subscription_ids: z.array(idShape).min(1).max(maxCredited).optional(),
        nodes: z.array(z.string().max(100)).min(1).max(100).optional(),
        region: z.string().max(100).optional(),
        days: z.int().max(maxCreditDays),
        message: reason.default('By the API.'),
        op_id: z.uuid().optional(),
      })
      .refine(
        ({ subscription_ids, nodes, region }) =>
          [subscription_ids, nodes, region].filter((one) => one !== undefined).length === 1,
        'exactly one of subscription_ids, nodes and region',
      ),
    handle: async ({ actor, body, request, begin, now }) => {
      assertAllowed(whyNotManageBilling(actor));
      const { subscription_ids, nodes, region, days, message } = body;
      const target = subscription_ids ? { subscription_ids } : nodes ? { nodes } : { region: region! };
      const op_id = requiredOperationId(actor, request, body.op_id);
      const input = { op_id, target, days, reason: message };
      await begin((tx) => creditDays(tx, actor, input, now));
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/billing/subscriptions/manager/update_many',
    summary: 'Note for which regions subscriptions of servers are, all or none, for programs of the operator',
    tag,
    empty_status: 200,
    body: z.object({
      subscriptions: z
        .array(
          z.object({
            target: z.object({ Pyro: z.object({ user_id: idShape, server_id: idShape }) }),
            update_region: z.string().max(100).nullish(),
            ignore_if_missing: z.boolean().default(false),
          }),
        )
        .min(1)
        .max(maxUpdated),
    }),
    handle: async ({ body, request, services, begin }) => {
      assertAdminKey(services.settings, request);
      const updates = body.subscriptions.map(({ target, update_region, ignore_if_missing }) => ({
        ...target.Pyro,
        region: update_region ?? null,
        ignore_if_missing,
      }));
      await begin((tx) => updateRegions(tx, updates));
      return undefined;
    },
  });
}
