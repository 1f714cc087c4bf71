import { z } from 'zod';
import { failureChoices, outcomes, stepPowers, stepStates } from './rules.ts';

/** Schedules of servers as people on them see them. */

/** Texts are bounded here, and checked by `whyNotSchedule`, whose refusals say what to change. */
const scheduleStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), text: z.string().max(10_000) }),
  z.strictObject({ kind: z.literal('power'), action: z.enum(stepPowers) }),
  z.strictObject({ kind: z.literal('backup') }),
  z.strictObject({ kind: z.literal('update') }),
  z.strictObject({ kind: z.literal('wait'), seconds: z.number() }),
]);

/** What a person saves. */
export const scheduleInput = z.strictObject({
  name: z.string().max(500),
  /** Five fields: minute, hour, day of the month, month, weekday. */
  cron: z.string().max(500),
  /** A name of the IANA database. */
  timezone: z.string().max(500),
  enabled: z.boolean(),
  /** Runs only while nobody plays. */
  only_when_empty: z.boolean(),
  /** Runs only while the server runs. */
  only_when_running: z.boolean(),
  on_failure: z.enum(failureChoices),
  steps: z.array(scheduleStep).max(200),
});
export type ScheduleInput = z.output<typeof scheduleInput>;

/** A refusal code; `data` fills its text where that has placeholders. */
const reason = z.strictObject({
  code: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type Reason = z.output<typeof reason>;

export const runView = z.strictObject({
  id: z.string(),
  /** By its time, or by hand. */
  trigger: z.enum(['time', 'hand']),
  /** Who asked for it by hand. */
  by: z.string().nullable(),
  /** When it was due; those that did not take place one after the other are one row, up to `last_due`. */
  due: z.string(),
  last_due: z.string(),
  count: z.int(),
  outcome: z.enum(outcomes),
  reason: reason.nullable(),
  steps: z.array(
    z.strictObject({
      step: scheduleStep,
      state: z.enum(stepStates),
      began: z.string().nullable(),
      ended: z.string().nullable(),
      /** Why it failed; of a step that is done, what it found: `content_unchanged`. */
      reason: reason.nullable(),
    }),
  ),
  began: z.string(),
  ended: z.string().nullable(),
});
export type RunView = z.output<typeof runView>;

export const scheduleView = scheduleInput.extend({
  id: z.string(),
  /** Who saved it: its runs have the rights of this person. Null for a deleted account. */
  by: z.string().nullable(),
  /** Up to three; none while it is off. */
  next_runs: z.array(z.string()),
  /** Why its newest run could not begin; null when it can. */
  broken: reason.nullable(),
  /** Counts changes: a change names the one that it was made from. */
  revision: z.int(),
  /** The newest run, which may be in progress. */
  last_run: runView.nullable(),
});
export type ScheduleView = z.output<typeof scheduleView>;
