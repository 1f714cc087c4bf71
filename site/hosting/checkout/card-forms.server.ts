import { z } from 'zod';
import { type BillingContext, confirmPayment } from '#db/money/billing/checkout.ts';
import { beginMethod } from '#db/money/billing/customers.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

const beginForm = defineForm({
  action: '/_internal/billing/method',
  shape: z.object({}),
  fields: [],
  errors: {},
});

const confirmForm = defineForm({
  action: '/_internal/billing/confirm',
  // without a server it is the payment of Plus
  shape: z.object({
    server_id: z
      .string()
      .regex(/^[0-9A-Za-z]{1,11}$/)
      .optional(),
  }),
  fields: [],
  errors: {},
});

/**
 * What the scripts of pages ask for that show the form of the payment processor: the client secret to enter a card with, and
 * the one with which the payer confirms a payment that waits, null when there is nothing to confirm.
 */
export function cardRoutes(api: Api, till: () => Promise<BillingContext>): void {
  formRoute(api, beginForm, {
    needs: ['SERVER_CREATE'],
    page: '/servers/buy',
    async run({ actor, now }) {
      const { sql, payments } = await till();
      return { to: '/servers/buy', answer: { ...(await beginMethod(sql, payments, actor, now)) } };
    },
  });

  formRoute(api, confirmForm, {
    needs: ['SERVER_CREATE'],
    page: '/servers/manage',
    async run({ actor, fields, now }) {
      const { server_id = null } = fields;
      const answer = await confirmPayment(await till(), actor, server_id, now);
      return { to: server_id ? `/servers/manage/${server_id}` : '/settings/billing', answer: { ...answer } };
    },
  });
}
