import { z } from 'zod';
import { addressLines, billingAddressLimits } from '#db/money/billing/invoices/billing-address.ts';
import { setBillingAddress } from '#db/money/billing/invoices/set-billing-address.ts';
import { addMethod, makePrimary, removeMethod } from '#db/money/billing/methods.ts';
import type { Payments } from '#db/money/billing/payments.ts';
import { idShape } from '#db/platform/shape.ts';
import { chosenCard } from '../../hosting/checkout/chosen-card.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

export const addMethodForm = defineForm({
  action: '/_internal/billing/method/add',
  shape: z.object({ card: z.string().max(200).optional() }),
  fields: ['card'],
  errors: {
    card_unknown: 'card',
    card_expired: 'card',
    card_required: 'card',
    method_unconfirmed: 'card',
    payment_methods_limit: 'card',
    payment_tries_limit: 'card',
  },
});

const one = z.object({ id: idShape });

export const primaryMethodForm = defineForm({
  action: '/_internal/billing/method/primary',
  shape: one,
  fields: [],
  errors: {},
});

export const removeMethodForm = defineForm({
  action: '/_internal/billing/method/remove',
  shape: one,
  fields: [],
  errors: {},
});

const { name, address, lines, tax_id } = billingAddressLimits;

export const billingAddressForm = defineForm({
  action: '/_internal/billing/address',
  shape: z.object({
    billing_name: z.string().max(name).default(''),
    billing_address: z
      .string()
      .max(address)
      .refine((text) => addressLines(text).length <= lines)
      .default(''),
    billing_tax_id: z
      .string()
      .trim()
      .max(tax_id)
      .regex(/^[\p{L}\p{N} ./-]*$/u)
      .default(''),
  }),
  fields: ['billing_name', 'billing_address', 'billing_tax_id'],
  invalid: { billing_address: 'billing.address_lines', billing_tax_id: 'billing.tax_id_invalid' },
  errors: {},
});

const page = '/settings/billing';
const done = { to: `${page}?done=1` };

/** The forms of a user's payment methods and billing address. */
export function paymentMethodRoutes(api: Api, { sql }: Pick<AppServices, 'sql'>, payments: Payments): void {
  formRoute(api, addMethodForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields, now }) {
      await addMethod(sql, payments, actor, chosenCard(fields.card, now), now);
      return done;
    },
  });

  formRoute(api, primaryMethodForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields }) {
      await sql.begin((tx) => makePrimary(tx, payments.name, actor, fields.id));
      return done;
    },
  });

  formRoute(api, billingAddressForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields }) {
      const { billing_name, billing_address, billing_tax_id } = fields;
      const given = { name: billing_name, address: billing_address, tax_id: billing_tax_id };
      await sql.begin((tx) => setBillingAddress(tx, actor, given));
      return { to: `${page}?done=address` };
    },
  });

  formRoute(api, removeMethodForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields, now }) {
      await removeMethod(sql, payments, actor, fields.id, now);
      return done;
    },
  });
}
