import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';

/** What a project is taken down for: what the transparency page counts by. */
export const takedownKinds = ['copyright', 'trademark', 'privacy', 'order', 'other'] as const;
export type TakedownKind = (typeof takedownKinds)[number];

/** Lengths in characters. */
export const takedownLimits = { reason: 2000, reference: 200, counter_min: 30, counter: 10_000 } as const;

/** Why `actor` may not take projects down, see takedowns and end them, or null. */
export const whyNotTakeDown = (actor: Actor | null): RefusalCode | null =>
  !actor ? 'authentication_required' : isModerator(actor) ? null : 'moderators_only';

/** A takedown as far as its rules need it. */
interface TakedownState {
  ended: unknown;
  counter_notice: string | null;
  counter_refused: unknown;
}

/** Why nobody can answer this takedown, or null: it is over, or was answered. */
export const whyNotAnswer = ({ ended, counter_notice }: TakedownState): RefusalCode | null =>
  ended !== null ? 'takedown_over' : counter_notice !== null ? 'counter_notice_sent' : null;

/** Why its counter-notice cannot be refused, or null: there is none that waits. */
export const whyNotRefuseAnswer = ({ ended, counter_notice, counter_refused }: TakedownState) =>
  ended !== null || counter_notice === null || counter_refused !== null ? 'no_counter_notice' : null;
