import { z } from 'zod';
import { defaultVersion } from '#db/hosting/server-kinds/rules.ts';
import { issueArchiveTicket } from '#db/hosting/servers/tickets.ts';
import {
  type BillingContext,
  cancel,
  changePlan,
  checkout,
  resubscribe,
} from '#db/money/billing/checkout.ts';
import { cancelPlanChange } from '#db/money/billing/plan-changes/write.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { Refused } from '#db/platform/errors.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute, type GivenFields } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import type { BillingDone } from './billing-done.ts';
import { cancelAnswerFields } from './cancel-answer-fields.ts';
import { chosenCard } from './chosen-card.ts';
import { addressOf, orderStateOf, panelOfOrder, presetOf } from './order-state.ts';
import { planChoiceOf } from './plan-choice.ts';
import { stepOf } from './refusals.ts';

const text = z.string().max(200);
const failed = { text: 'buying.order_failed' } as const;
const version = { field: 'game_version', text: 'buying.version_unknown' } as const;

export const orderForm = defineForm({
  action: '/_internal/billing/order',
  shape: z.object({
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
    content: text.optional(),
    content_version: text.optional(),
    pack: text.optional(),
    terms: text.optional(),
  }),
  fields: ['name', 'game_version', 'loader', 'terms'],
  errors: {
    terms_required: 'terms',
    server_name_length: 'name',
    server_version_unknown: version,
    server_loader_unknown: { field: 'loader', text: 'buying.version_unknown' },
    plan_unknown: failed,
    plan_ram: failed,
    region_unknown: failed,
    payment_declined: { text: 'buying.declined' },
    method_unconfirmed: { text: 'buying.card_failed' },
    out_of_stock: { text: 'buying.gone' },
  },
});

const server = z.object({ server_id: text });

export const cancelForm = defineForm({
  action: '/_internal/billing/cancel',
  shape: server.extend(cancelAnswerFields),
  fields: ['cancel_reason', 'cancel_note'],
  errors: {},
});

export const resubscribeForm = defineForm({
  action: '/_internal/billing/resubscribe',
  shape: server.extend({ interval: text.optional(), card: text.optional() }),
  fields: ['card', 'interval'],
  errors: {
    payment_declined: { field: 'card', text: 'buying.declined' },
    card_unknown: 'card',
    card_expired: 'card',
    method_unconfirmed: 'card',
    payment_method_not_found: 'card',
    payment_methods_limit: 'card',
    payment_tries_limit: 'card',
    card_required: 'card',
    interval_unknown: 'interval',
    out_of_stock: { text: 'buying.gone' },
  },
});

export const changePlanForm = defineForm({
  action: '/_internal/billing/change-plan',
  shape: server.extend({ op_id: z.uuid(), plan: text, interval: text, card: text.optional() }),
  fields: ['card'],
  errors: {
    payment_declined: { field: 'card', text: 'buying.declined' },
    card_unknown: 'card',
    card_expired: 'card',
    method_unconfirmed: 'card',
    payment_method_not_found: 'card',
    payment_methods_limit: 'card',
    payment_tries_limit: 'card',
    card_required: 'card',
  },
});

export const cancelPlanChangeForm = defineForm({
  action: '/_internal/billing/cancel-plan-change',
  shape: server,
  fields: [],
  errors: {},
});

export const archiveForm = defineForm({
  action: '/_internal/servers/parcel',
  shape: z.object({ server_id: text.regex(/^[0-9A-Za-z]{1,11}$/) }),
  fields: [],
  errors: {},
});

/** The forms for orders, subscriptions and archives of servers. */
export function orderFormRoutes(
  api: Api,
  { sql, settings }: AppServices,
  till: () => Promise<BillingContext>,
): void {
  const payments = paymentProcessor(settings);

  formRoute(api, orderForm, {
    needs: ['SERVER_CREATE'],
    page: orderStep,
    elsewhere: (code) => stepOf(code) !== 'review',
    async run({ c, actor, fields, now }) {
      const kind = settings.SERVER_KIND;
      const { card, gb, terms, game_version, loader, ...others } = fields;
      const { content, content_version, pack, ...rest } = others;
      const input = {
        ...rest,
        kind,
        ram_gb: gb ?? null,
        game_version: game_version ?? defaultVersion(kind),
        loader: !loader || loader === 'vanilla' ? null : loader,
        terms_accepted: terms === 'on',
        starts: true,
        address: settings.RATE_LIMIT_PER_MINUTE > 0 ? c.get('address') : null,
      };
      if (payments.enabled && rest.plan !== 'trial' && !chosenCard(card, now))
        throw new Refused('card_required');
      const bought = await checkout(await till(), actor, input, chosenCard(card, now), now);
      const preset = presetOf(
        new URLSearchParams({
          content: content ?? '',
          content_version: content_version ?? '',
          pack: pack ?? '',
        }),
      );
      const panel = panelOfOrder(bought.server_id, preset);
      // the payer may have to confirm it there
      const asks = bought.state === 'waiting' && payments.beginMethod !== null;
      return {
        to: asks ? panel.replace(bought.server_id, `${bought.server_id}/options/billing`) : panel,
        answer: { ...bought },
      };
    },
  });

  formRoute(api, cancelForm, {
    needs: ['SERVER_CREATE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      const { server_id, ...answer } = fields;
      await cancel(await till(), actor, server_id, now, answer);
      return { to: donePage(fields, 'canceled') };
    },
  });

  formRoute(api, resubscribeForm, {
    needs: ['SERVER_CREATE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      const how = { interval: fields.interval ?? null, method: chosenCard(fields.card, now) };
      const state = await resubscribe(await till(), actor, fields.server_id, how, now);
      // whoever takes back a cancellation is asked for no card
      const done = fields.card === undefined && fields.interval === undefined ? 'resumed' : 'paid';
      return { to: afterPayment(fields, state, done), answer: { state } };
    },
  });

  formRoute(api, changePlanForm, {
    needs: ['SERVER_CREATE'],
    page: planPage,
    async run({ actor, fields, now }) {
      const { card, plan, ...rest } = fields;
      const asked = { ...rest, ...planChoiceOf(plan) };
      const state = await changePlan(await till(), actor, asked, chosenCard(card || undefined, now), now);
      return { to: afterPayment(fields, state, 'planned'), answer: { state } };
    },
  });

  formRoute(api, cancelPlanChangeForm, {
    needs: ['SERVER_CREATE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      await sql.begin((tx) => cancelPlanChange(tx, actor, fields.server_id, now));
      return { to: donePage(fields, 'kept') };
    },
  });

  formRoute(api, archiveForm, {
    needs: ['SERVER_WRITE'],
    page: billingPage,
    async run({ actor, fields, now }) {
      const ticket = await sql.begin((tx) => issueArchiveTicket(tx, actor, fields.server_id, now));
      const address = `/transfers?ticket=${ticket}`;
      return { to: address, answer: { address } };
    },
  });
}

/** The step of the order where the user can correct a refusal, with all choices kept. */
function orderStep(given: GivenFields, code: string): string {
  const typed = Object.entries(given).filter((one): one is [string, string] => typeof one[1] === 'string');
  const query = new URLSearchParams(typed);
  const rest = new URLSearchParams();
  for (const name of ['name', 'terms']) if (query.has(name)) rest.set(name, query.get(name)!.slice(0, 200));
  const step = addressOf(orderStateOf(query, 'en-US'), { step: stepOf(code) });
  return rest.size > 0 ? `${step}&${rest}` : step;
}

/** The billing page, which says that it is done, or asks to confirm a payment that waits. */
const afterPayment = (given: GivenFields, state: string, done: BillingDone): string =>
  state === 'waiting' ? billingPage(given) : donePage(given, done);

const donePage = (given: GivenFields, done: BillingDone): string => `${billingPage(given)}?done=${done}`;

function billingPage({ server_id }: GivenFields): string {
  const id = /^[0-9A-Za-z]{1,11}$/.exec(String(server_id))?.[0];
  return id ? `/servers/manage/${id}/options/billing` : '/servers/manage';
}

/** The page of a change of plan, with the dry run that led to it. */
function planPage(given: GivenFields): string {
  const { plan, ram_gb } = planChoiceOf(String(given.plan));
  const query = new URLSearchParams({ plan, interval: String(given.interval) });
  if (ram_gb !== null) query.set('gb', String(ram_gb));
  return `${billingPage(given)}?${query}`;
}
