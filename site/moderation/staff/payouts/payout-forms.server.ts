import { z } from 'zod';
import { addIncome } from '#db/money/billing/revenue/income.ts';
import { incomeSources } from '#db/money/billing/revenue/rules.ts';
import { retryPayout, settleByHand } from '#db/money/payouts/settle-by-hand.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../../platform/context.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { typedDollars } from '../../../platform/forms/typed-dollars.ts';
import { formRoute } from '../../../platform/route/form.ts';
import type { Api } from '../../../platform/route/types.ts';

export const retryPayoutForm = defineForm({
  action: '/_internal/staff/payouts/retry',
  shape: z.object({ payout: idShape }),
  fields: [],
  errors: {},
});

export const settlePayoutForm = defineForm({
  action: '/_internal/staff/payouts/settle',
  shape: z.object({
    payout: idShape,
    state: z.enum(['success', 'failed']),
    reason: z.string().max(1_000).default(''),
    sure: z.literal('on').optional(),
  }),
  fields: ['state', 'reason', 'sure'],
  errors: { reason_required: 'reason', payout_on_its_way: 'sure', payout_service_unused: 'sure' },
});

export const incomeForm = defineForm({
  action: '/_internal/staff/income',
  shape: z.object({
    // all that lacks is said at once
    day: z.string().trim().min(1).max(10),
    amount: typedDollars,
    reference: z.string().trim().min(1).max(200),
    source: z.enum(incomeSources),
    impressions: z.coerce.number().int().min(0).default(0),
    note: z.string().max(500).default(''),
  }),
  fields: ['day', 'amount', 'reference', 'source', 'impressions', 'note'],
  invalid: { amount: 'staff_payouts.income_amount_wrong' },
  errors: {
    income_day_unknown: 'day',
    income_day_ahead: 'day',
    income_amount: 'amount',
    income_below_fees: 'amount',
    income_impressions: 'impressions',
    income_reference: 'reference',
    income_known: 'reference',
  },
});

const payoutPage = ({ payout }: Record<string, unknown>): string =>
  idShape.safeParse(payout).success ? `/admin/payouts/${String(payout)}` : '/admin/payouts';

/** What administrators do with creators' money, by the functions of the commands: retry, settle, enter income. */
export function staffPayoutRoutes(api: Api, services: AppServices): void {
  const { sql, settings, log, payouts } = services;
  const context = { sql, providers: payouts, log };

  formRoute(api, retryPayoutForm, {
    needs: ['SESSION_ACCESS'],
    page: payoutPage,
    async run({ actor, fields: { payout }, now }) {
      await retryPayout(context, actor, payout, now);
      return { to: `${payoutPage({ payout })}?done=checked` };
    },
  });

  formRoute(api, settlePayoutForm, {
    needs: ['SESSION_ACCESS'],
    page: payoutPage,
    async run({ actor, fields: { payout, state, reason, sure }, now }) {
      await settleByHand(context, actor, payout, { state, reason, is_sure: sure === 'on' }, now);
      return { to: `${payoutPage({ payout })}?done=settled` };
    },
  });

  formRoute(api, incomeForm, {
    needs: ['SESSION_ACCESS'],
    page: '/admin/payouts/income',
    async run({ actor, fields: { amount: amount_minor, ...rest }, now }) {
      const fee_micros = settings.AD_SERVING_FEE + settings.AD_CHECK_FEE;
      await sql.begin((tx) => addIncome(tx, actor, { ...rest, amount_minor }, fee_micros, now));
      return { to: '/admin/payouts/income?done=income' };
    },
  });
}
