import { z } from 'zod';
import { alertKinds } from './rules.ts';

const rule = z.strictObject({
  enabled: z.boolean(),
  over: z.number().nullable(),
  minutes: z.int().nullable(),
});
export const alertRules = z.strictObject(
  Object.fromEntries(alertKinds.map((kind) => [kind, rule])) as Record<
    (typeof alertKinds)[number],
    typeof rule
  >,
);
export const quietHours = z.strictObject({ from: z.int(), until: z.int(), zone: z.string().max(100) });

/** An alert: how long it lasted, and what was measured when it began. */
const alertView = z.strictObject({
  id: z.string(),
  kind: z.enum(alertKinds),
  value: z.number().nullable(),
  bound: z.number().nullable(),
  began: z.string(),
  /** Null while it goes on. */
  ended: z.string().nullable(),
  /** False: it came and went too often that day. */
  told: z.boolean(),
});
export type AlertView = z.output<typeof alertView>;

const alertWebhook = z.strictObject({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  enabled: z.boolean(),
  /** It was turned off because nothing arrived. */
  gave_up: z.boolean(),
  last: z.enum(['sent', 'failed']).nullable(),
  /** Why the last call did not arrive, as in the log of webhooks. */
  problem: z.string().nullable(),
});

/** Rules, quiet hours, webhooks and history of the alerts of a server. */
export const alertsView = z.strictObject({
  rules: alertRules,
  quiet: quietHours.nullable(),
  webhooks: z.array(alertWebhook),
  /** Newest first. */
  history: z.array(alertView),
  may_change: z.boolean(),
});
export type AlertsView = z.output<typeof alertsView>;
