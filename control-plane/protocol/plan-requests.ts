import { z } from 'zod';
import { max_plan_text } from '#db/money/billing/plan-change/rules.ts';
import type { RequestMap } from './ack.ts';

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
  'plan.preview': {
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
  },
  /** Makes the change; what is due is charged to the card of the subscription. */
  'plan.change': {
    input: wanted.extend({ op_id: z.uuid() }),
    output: z.strictObject({ state: z.enum(['paid', 'waiting']) }),
    limit: 'calls',
  },
  /** Takes back a change that waits for the next period. */
  'plan.keep': { input: z.object({ server_id: id }), output: z.strictObject({}), limit: 'calls' },
} as const satisfies RequestMap;
