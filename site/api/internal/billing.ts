import { type BillingContext, cancel, checkout, handleWebhook, resubscribe } from '#db/billing/checkout.ts';
import { paymentProcessor } from '#db/billing/processors/select.ts';
import { Refused } from '#db/errors.ts';
import { kindOffers } from '#db/server-kinds/rules.ts';
import { issueTicket } from '#db/servers/tickets.ts';
import type { AppServices } from '../../context.ts';
import { addressOf, cardOf, orderStateOf } from '../../servers/checkout/order-state.ts';
import { stepOf } from '../../servers/checkout/refusals.ts';
import { errorResponse } from '../route/error-response.ts';
import { formRoute, type GivenFields } from '../route/form.ts';
import { bodyText } from '../route/json-body.ts';
import type { Api } from '../route/types.ts';
import { archiveForm, cancelForm, orderForm, resubscribeForm } from './server-forms.ts';

const webhook_bytes = 64 * 1024;

/** The forms for orders, subscriptions and archives of servers, and the webhook of the payment processor. */
export function billingRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const payments = paymentProcessor(settings);
  const till = async (): Promise<BillingContext> => ({ sql, payments, board: await services.queue() });

  formRoute(api, orderForm, {
    needs: ['SERVER_CREATE'],
    page: orderStep,
    elsewhere: (code) => stepOf(code) !== 'review',
    async run({ c, actor, fields, now }) {
      const kind = settings.SERVER_KIND;
      const { card, gb, terms, game_version, loader, ...rest } = fields;
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
      return { to: `/servers/manage?order=${bought.server_id}`, answer: { ...bought } };
    },
  });

  formRoute(api, cancelForm, {
    needs: ['SERVER_CREATE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      await cancel(await till(), actor, fields.server_id, now);
      return { to: `${billingPage(fields)}?done=1` };
    },
  });

  formRoute(api, resubscribeForm, {
    needs: ['SERVER_CREATE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      const how = { interval: fields.interval ?? null, card: chosen(fields.card, now) };
      const state = await resubscribe(await till(), actor, fields.server_id, how, now);
      return { to: `${billingPage(fields)}?done=1`, answer: { state } };
    },
  });

  formRoute(api, archiveForm, {
    needs: ['SERVER_WRITE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      const ticket = await sql.begin((tx) => issueTicket(tx, actor, fields.server_id, now));
      const address = `/transfers?ticket=${ticket}`;
      return { to: address, answer: { address } };
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

/** The chosen test card; it never expires. */
const chosen = (digits: string | undefined, now: Date) => {
  const card = cardOf(digits ?? null);
  return card && { number: card.number, expires_month: 12, expires_year: now.getUTCFullYear() + 5 };
};

/** The step of the order where the user can correct a refusal, with all choices kept. */
function orderStep(given: GivenFields, code: string): string {
  const typed = Object.entries(given).filter((one): one is [string, string] => typeof one[1] === 'string');
  const query = new URLSearchParams(typed);
  const rest = new URLSearchParams();
  for (const name of ['name', 'game_version', 'loader', 'terms'])
    if (query.has(name)) rest.set(name, query.get(name)!.slice(0, 200));
  const step = addressOf(orderStateOf(query, 'en-US'), { step: stepOf(code) });
  return rest.size > 0 ? `${step}&${rest}` : step;
}

function billingPage({ server_id }: GivenFields): string {
  const id = /^[0-9A-Za-z]{1,11}$/.exec(String(server_id))?.[0];
  return id ? `/servers/manage/${id}/options/billing` : '/servers/manage';
}
