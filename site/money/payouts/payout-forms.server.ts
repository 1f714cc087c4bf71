import { z } from 'zod';
import { requestPayout } from '#db/money/payouts/request.ts';
import { payoutTypes } from '#db/money/payouts/rules.ts';
import { cancelPayout } from '#db/money/payouts/send.ts';
import { signTaxForm } from '#db/money/payouts/tax/local.ts';
import { taxFormTypes } from '#db/money/payouts/tax/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { typedDollars } from '../../platform/forms/typed-dollars.ts';
import { formRoute, type GivenFields } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

const text = z.string().max(300);
const needed = text.trim().min(1);
const box = z.literal('on').optional();
const agreed = z.literal('on');

export const withdrawForm = defineForm({
  action: '/_internal/payouts/withdraw',
  shape: z.object({
    op_id: z.uuid(),
    country: text,
    type: z.enum(payoutTypes),
    method_id: text,
    amount: typedDollars,
    // all that lacks is said at once
    address: needed,
    receiver: needed.optional(),
    agree_fee: agreed,
    agree_transfer: agreed,
    agree_terms: agreed,
  }),
  fields: ['amount', 'address', 'receiver', 'agree_fee', 'agree_transfer', 'agree_terms'],
  invalid: {
    amount: 'payouts.amount_invalid',
    agree_fee: 'payouts.agree_needed',
    agree_transfer: 'payouts.agree_needed',
    agree_terms: 'payouts.agree_needed',
  },
  errors: {
    payout_amount: 'amount',
    payout_amount_listed: 'amount',
    payout_amount_range: 'amount',
    payout_below_fee: 'amount',
    payout_insufficient: 'amount',
    payout_email_malformed: 'address',
    venmo_handle_malformed: 'address',
    iban_malformed: 'address',
    payout_receiver: 'receiver',
  },
});

export const cancelPayoutForm = defineForm({
  action: '/_internal/payouts/cancel',
  shape: z.object({ id: idShape }),
  fields: [],
  errors: {},
});

export const signTaxFormForm = defineForm({
  action: '/_internal/payouts/tax',
  shape: z.object({
    form_type: z.enum(taxFormTypes),
    // all that lacks is said at once
    name: needed,
    country: text,
    address: needed,
    city: needed,
    state: text.default(''),
    postal_code: text,
    tax_number: text,
    signature: needed,
    certified: box,
  }),
  fields: [
    'name',
    'country',
    'address',
    'city',
    'state',
    'postal_code',
    'tax_number',
    'signature',
    'certified',
  ],
  // kept encrypted here, so not in a cookie either
  secret: ['tax_number', 'signature'],
  errors: {},
});

const transfers = '/dashboard/revenue/transfers';

/** The forms by which creators withdraw, cancel a payout and sign the tax form. */
export function payoutForms(api: Api, services: AppServices): void {
  const { sql, sealer, log, payouts, taxForms } = services;
  const context = { sql, providers: payouts, taxForms, log, mailing: services };

  formRoute(api, withdrawForm, {
    needs: ['PAYOUTS_WRITE'],
    page: withdrawPage,
    async run({ actor, fields, now }) {
      const { op_id, country, type, method_id, amount: amount_minor, address, receiver = '' } = fields;
      const wanted = { op_id, country, type, method_id, amount_minor, address, receiver };
      const { state } = await requestPayout(context, actor, wanted, now);
      return { to: `${transfers}?sent=${state}`, answer: { state } };
    },
  });

  formRoute(api, cancelPayoutForm, {
    needs: ['PAYOUTS_WRITE'],
    page: transfers,
    async run({ actor, fields, now }) {
      return { to: `${transfers}?canceled=${await cancelPayout(context, actor, fields.id, now)}` };
    },
  });

  formRoute(api, signTaxFormForm, {
    needs: ['PAYOUTS_WRITE'],
    page: ({ form_type }) => `/dashboard/revenue/tax?${new URLSearchParams({ form: String(form_type) })}`,
    async run({ actor, fields, now }) {
      const { form_type, certified, ...stated } = fields;
      const statement = { ...stated, certified: certified === 'on' };
      await sql.begin((tx) => signTaxForm(tx, sealer, actor, form_type, statement, now));
      return { to: '/dashboard/revenue/tax?done=1' };
    },
  });
}

/** The page with the method that was chosen. */
function withdrawPage({ country, type, method_id }: GivenFields): string {
  const query = new URLSearchParams({ country: String(country), method: `${type}:${method_id}` });
  return `/dashboard/revenue/withdraw?${query}`;
}
