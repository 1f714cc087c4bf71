import { z } from 'zod';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import { buyPlus, renewPlus } from '#db/money/billing/plus-orders/checkout.ts';
import { cancelPlus, switchPlus } from '#db/money/billing/plus-orders/write.ts';
import { cancelAnswerFields } from '../../hosting/checkout/cancel-answer-fields.ts';
import { chosenCard } from '../../hosting/checkout/chosen-card.ts';
import { defineForm, type FormDefinition } from '../../platform/forms/form-definition.ts';
import { formRoute, type GivenFields } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import type { PlusDone } from './plus-done.ts';

const text = z.string().max(200);
const paying = {
  payment_declined: { field: 'card', text: 'buying.declined' },
  card_unknown: 'card',
  card_expired: 'card',
  card_required: 'card',
  method_unconfirmed: 'card',
  payment_method_not_found: 'card',
  payment_methods_limit: 'card',
  payment_tries_limit: 'card',
  interval_unknown: 'interval',
} as const satisfies FormDefinition['errors'];

export const plusForm = defineForm({
  action: '/_internal/billing/plus',
  shape: z.object({ op_id: z.uuid(), interval: text, currency: text, card: text.optional() }),
  fields: ['interval', 'card'],
  errors: { ...paying, currency_unknown: 'interval' },
});

export const plusRenewForm = defineForm({
  action: '/_internal/billing/plus/renew',
  shape: z.object({ interval: text.optional(), card: text.optional() }),
  fields: ['interval', 'card'],
  errors: paying,
});

export const plusCancelForm = defineForm({
  action: '/_internal/billing/plus/cancel',
  shape: z.object(cancelAnswerFields),
  fields: ['cancel_reason', 'cancel_note'],
  errors: {},
});

export const plusSwitchForm = defineForm({
  action: '/_internal/billing/plus/interval',
  shape: z.object({ interval: text }),
  fields: ['interval'],
  errors: { interval_unknown: 'interval', plus_unchanged: 'interval' },
});

const page = '/settings/billing';
const buying = `${page}/plus`;
const donePage = (done: PlusDone): string => `${page}?plus=${done}`;
/** What is not decided yet says so itself on that page. */
const after = (state: string, done: PlusDone) => ({
  to: state === 'paid' ? donePage(done) : page,
  answer: { state },
});

/** The forms of Plus: buying it, and what its owner does with it. */
export function plusRoutes(api: Api, till: () => Promise<BillingContext>): void {
  formRoute(api, plusForm, {
    needs: ['SERVER_CREATE'],
    page: choiceOf,
    async run({ actor, fields, now }) {
      const { card, ...order } = fields;
      return after(await buyPlus(await till(), actor, order, chosenCard(card, now), now), 'paid');
    },
  });

  formRoute(api, plusRenewForm, {
    needs: ['SERVER_CREATE'],
    page: buying,
    async run({ actor, fields, now }) {
      const how = { interval: fields.interval ?? null, method: chosenCard(fields.card, now) };
      // whoever takes back a cancellation is asked for no card
      const done = fields.card === undefined && fields.interval === undefined ? 'resumed' : 'paid';
      return after(await renewPlus(await till(), actor, how, now), done);
    },
  });

  formRoute(api, plusCancelForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields, now }) {
      const { sql } = await till();
      await sql.begin((tx) => cancelPlus(tx, actor, now, fields));
      return { to: donePage('canceled') };
    },
  });

  formRoute(api, plusSwitchForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields, now }) {
      const { sql } = await till();
      await sql.begin((tx) => switchPlus(tx, actor, fields.interval, now));
      return { to: page };
    },
  });
}

/** The page where Plus is bought, with what was chosen. */
function choiceOf({ interval, currency }: GivenFields): string {
  const query = new URLSearchParams({
    interval: String(interval).slice(0, 20),
    currency: String(currency).slice(0, 20),
  });
  return `${buying}?${query}`;
}
