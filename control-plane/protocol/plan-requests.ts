import { z } from 'zod';
import { changePlan } from '#db/money/billing/checkout.ts';
import { max_plan_text } from '#db/money/billing/plan-change/rules.ts';
import { cancelPlanChange, previewPlanChange } from '#db/money/billing/plan-changes/write.ts';
import type { RequestMap } from './ack.ts';
import { stored } from './stored.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const amount = z.int().min(0);
/** Plan and interval that a server should have: `ram_gb` counts for the plan `custom`. */
const wanted = z.object({
  server_id: id,
  plan: z.string().max(max_plan_text),
  ram_gb: z.int().nullable().default(null),
  interval: z.string().max(max_plan_text),
});

/** Requests of command lines about plan and interval of a server; pages use forms of the site. */
export const planRequests = {
  /** What a change would cost, and when it begins. Amounts are in minor units of the currency. */
  'plan.preview': stored({
    input: wanted,
    output: z.strictObject({
      kind: z.enum(['now', 'later', 'none']),
      plan: z.string(),
      ram_gb: z.int(),
      term: z.string(),
      currency: z.string(),
      price_minor: amount,
      credit_minor: amount,
      due_minor: amount,
      starts: z.string(),
      ends: z.string(),
      no_room: z.enum(['node_full', 'node_too_small']).nullable(),
    }),
    limit: 'calls',
    answer: async ({ db, actor, now }, plan) => {
      const { starts, ends, ...outlook } = await previewPlanChange(db, actor, plan, now());
      return { ...outlook, starts: starts.toISOString(), ends: ends.toISOString() };
    },
  }),
  /** Makes the change; what is due is charged to the card of the subscription. */
  'plan.change': stored({
    input: wanted.extend({ op_id: z.uuid() }),
    output: z.strictObject({ state: z.enum(['paid', 'waiting']) }),
    limit: 'calls',
    // it opens its transactions itself: a charge is between them
    answer: async ({ billing, actor, now }, plan) => ({
      state: await changePlan(billing, actor, plan, null, now()),
    }),
  }),
  /** Takes back a change that waits for the next period. */
  'plan.keep': stored({
    input: z.object({ server_id: id }),
    output: z.strictObject({}),
    limit: 'calls',
    write: ({ db, actor, now }, { server_id }) => cancelPlanChange(db, actor, server_id, now()),
    answer: () => ({}),
  }),
} as const satisfies RequestMap;
