import type { Context } from 'hono';
import { type BillingContext, handleWebhook } from '#db/money/billing/checkout.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { orderFormRoutes } from '../../hosting/checkout/billing-forms.server.ts';
import { cardRoutes } from '../../hosting/checkout/card-forms.server.ts';
import { staffBillingRoutes } from '../../moderation/staff/billing/billing-forms.server.ts';
import { paymentMethodRoutes } from '../../money/billing/payment-method-forms.server.ts';
import { plusRoutes } from '../../money/plus/plus-forms.server.ts';
import type { AppServices } from '../../platform/context.ts';
import { errorResponse } from '../../platform/route/error-response.ts';
import { bodyText } from '../../platform/route/json-body.ts';
import type { Api, ApiEnv } from '../../platform/route/types.ts';
import { billingChangeRoutes } from './billing-api/changes.ts';
import { billingReadRoutes } from './billing-api/reads.ts';
import { billingStaffRoutes } from './billing-api/staff.ts';
import { invoiceRoutes } from './invoices.ts';

const webhook_bytes = 64 * 1024;

/** Everything about payments: forms, what programs read and change, and the webhook of the payment processor. */
export function billingRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const payments = paymentProcessor(settings);
  const till = async (): Promise<BillingContext> => ({
    sql,
    payments,
    board: await services.queue(),
    mailing: services,
  });

  orderFormRoutes(api, services, till);
  cardRoutes(api, till);
  paymentMethodRoutes(api, services, payments);
  plusRoutes(api, till);
  staffBillingRoutes(api, till);
  invoiceRoutes(api);
  billingReadRoutes(api, till);
  billingChangeRoutes(api, till);
  billingStaffRoutes(api, till);

  const header = payments.webhook?.header ?? 'cairn-signature';
  const webhook = async (c: Context<ApiEnv>) => {
    try {
      const body = await bodyText(c.req.raw, webhook_bytes, services.settings);
      const signature = c.req.header(header) ?? null;
      return c.json({ heard: await handleWebhook(await till(), signature, body, services.now()) });
    } catch (error) {
      return errorResponse(c, error, { create_errors: false });
    }
  };
  api.post(`/billing/webhook/${payments.name}`, webhook);
  // what the interface that programs know calls it
  api.post('/billing/_stripe', webhook);
}
