import { z } from 'zod';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import { currencies } from '#db/money/billing/data/currencies.ts';
import { creditDays } from '#db/money/billing/desk/credits.ts';
import { endServiceByStaff, serviceSteps, subscriptionOfCharge } from '#db/money/billing/desk/end-service.ts';
import { addBillingNote, maxNote, removeBillingNote } from '#db/money/billing/desk/notes.ts';
import { maxReason, whyNotManageBilling } from '#db/money/billing/refunds/rules.ts';
import { isCurrency } from '#db/money/billing/rules.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { minorTyped } from '../../../platform/forms/typed-number.ts';
import { bytesOfText, formRoute } from '../../../platform/route/form.ts';
import type { Api } from '../../../platform/route/types.ts';

const text = (most: number) => z.string().max(most).default('');

export const refundForm = defineForm({
  action: '/_internal/staff/refund',
  shape: z.object({
    user: idShape,
    charge: idShape,
    op_id: z.uuid(),
    seen: z.coerce.number().int().min(0),
    currency: z.string().max(3),
    amount: text(40),
    reason: text(2 * maxReason),
    takes_service: z.string().optional(),
    sure: z.string().optional(),
  }),
  fields: ['charge', 'amount', 'reason', 'takes_service', 'sure'],
  errors: {
    refund_amount: 'amount',
    refund_too_much: 'amount',
    reason_required: 'reason',
    confirmation_required: { field: 'sure', text: 'staff_billing.sure_first' },
  },
});

export const creditForm = defineForm({
  action: '/_internal/staff/credit',
  shape: z
    .object({ user: idShape, op_id: z.uuid(), days: z.coerce.number(), reason: text(2 * maxReason) })
    .catchall(z.unknown())
    .transform(({ user, op_id, days, reason, ...others }) => ({
      ...{ user, op_id, days, reason },
      subscription_ids: Object.keys(others).flatMap((name) =>
        name.startsWith('subscription_') && others[name] === 'on' ? [name.slice('subscription_'.length)] : [],
      ),
    })),
  fields: ['subscription', 'days', 'reason'],
  errors: {
    credit_days: 'days',
    reason_required: 'reason',
    subscription_required: { text: 'staff_billing.credit_which' },
  },
});

export const serviceForm = defineForm({
  action: '/_internal/staff/service',
  shape: z.object({
    user: idShape,
    subscription: idShape,
    step: z.enum(serviceSteps),
    reason: text(2 * maxReason),
    sure: z.string().optional(),
  }),
  fields: ['subscription', 'step', 'reason', 'sure'],
  errors: {
    reason_required: 'reason',
    confirmation_required: { field: 'sure', text: 'staff_billing.sure_first' },
  },
});

export const addNoteForm = defineForm({
  action: '/_internal/staff/billing-note',
  shape: z.object({ user: idShape, text: text(2 * maxNote) }),
  fields: ['text'],
  errors: { billing_note_length: 'text' },
});

export const removeNoteForm = defineForm({
  action: '/_internal/staff/billing-note/remove',
  shape: z.object({ user: idShape, note: idShape }),
  fields: [],
  errors: {},
});

const pageOf = (given: Record<string, unknown>): string =>
  idShape.safeParse(given.user).success ? `/admin/billing/${String(given.user)}` : '/admin/user_email';

/** What administrators do with somebody's payments; the audit log keeps it. */
export function staffBillingRoutes(api: Api, till: () => Promise<BillingContext>): void {
  formRoute(api, refundForm, {
    needs: ['SESSION_ACCESS'],
    page: pageOf,
    async run({ actor, fields, now }) {
      const { user, charge: charge_id, op_id, seen: seen_minor, currency, amount, reason } = fields;
      // whoever may not refund hears that before anything about the form
      if (whyNotManageBilling(actor)) throw new Refused('admins_only');
      if (fields.sure !== 'on') throw new Refused('confirmation_required');
      const desk = await till();
      const { sql, board } = desk;
      const amount_minor = minorOf(amount, currency);
      const takes_service = fields.takes_service === 'on';
      if (amount_minor === 0 && takes_service) {
        await sql.begin(async (tx) => {
          const subscription_id = await subscriptionOfCharge(tx, charge_id);
          await endServiceByStaff(tx, board, actor, { subscription_id, step: 'take', reason }, now);
        });
        return { to: `/admin/billing/${user}?done=saved` };
      }
      const input = { op_id, charge_id, amount_minor, seen_minor, reason, takes_service };
      await sql.begin((tx) => refundByStaff(tx, desk, actor, input, now));
      return { to: `/admin/billing/${user}?done=refunded` };
    },
  });

  formRoute(api, serviceForm, {
    needs: ['SESSION_ACCESS'],
    page: pageOf,
    async run({ actor, fields: { user, subscription: subscription_id, step, reason, sure }, now }) {
      if (whyNotManageBilling(actor)) throw new Refused('admins_only');
      if (sure !== 'on') throw new Refused('confirmation_required');
      const { sql, board } = await till();
      const input = { subscription_id, step, reason };
      await sql.begin((tx) => endServiceByStaff(tx, board, actor, input, now));
      return { to: `/admin/billing/${user}?done=saved` };
    },
  });

  formRoute(api, creditForm, {
    needs: ['SESSION_ACCESS'],
    page: pageOf,
    async run({ actor, fields: { user, op_id, days, reason, subscription_ids }, now }) {
      if (subscription_ids.length === 0) throw new Refused('subscription_required');
      const { sql } = await till();
      const target = { subscription_ids };
      await sql.begin((tx) => creditDays(tx, actor, { op_id, target, days, reason }, now));
      return { to: `/admin/billing/${user}?done=credited` };
    },
  });

  formRoute(api, addNoteForm, {
    needs: ['SESSION_ACCESS'],
    limit_bytes: bytesOfText(2 * maxNote),
    page: pageOf,
    async run({ actor, fields: { user, text: note }, now }) {
      const { sql } = await till();
      await sql.begin((tx) => addBillingNote(tx, actor, { user_id: user, text: note }, now));
      return { to: `/admin/billing/${user}?done=saved#notes` };
    },
  });

  formRoute(api, removeNoteForm, {
    needs: ['SESSION_ACCESS'],
    page: pageOf,
    async run({ actor, fields: { user, note } }) {
      const { sql } = await till();
      await sql.begin((tx) => removeBillingNote(tx, actor, user, note));
      return { to: `/admin/billing/${user}?done=saved#notes` };
    },
  });
}

/** An amount as it is typed, such as `12.34`, in minor units of its currency. Refuses `refund_amount`. */
function minorOf(typed: string, currency: string): number {
  const minor = minorTyped(typed, isCurrency(currency) ? currencies[currency].digits : 0);
  if (minor === null) throw new Refused('refund_amount');
  return minor;
}
