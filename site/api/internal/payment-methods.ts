import { z } from 'zod';
import { addMethod, makePrimary, removeMethod } from '#db/billing/methods.ts';
import type { Payments } from '#db/billing/payments.ts';
import { idShape } from '#db/shape.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';
import { chosenCard } from './chosen-card.ts';

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

const page = '/settings/billing';
const done = { to: `${page}?done=1` };

/** The forms of a user's payment methods. */
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

  formRoute(api, removeMethodForm, {
    needs: ['SERVER_CREATE'],
    page,
    async run({ actor, fields, now }) {
      await removeMethod(sql, payments, actor, fields.id, now);
      return done;
    },
  });
}
