import type { RefusalCode } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { ChangeView } from '../content/view.ts';
import { type ServerFacts, whyNotHave } from '../rules.ts';

/** Rules for changes of content and loader: the same for buttons, sockets and commands. */

type Step = ChangeView['step'];

/** Steps in which a change is in progress, in order. */
export const openSteps = ['stopping', 'safety', 'erasing', 'applying', 'starting'] as const satisfies Step[];
/** Changes that a panel shows, and those that are kept of a server. */
export const max_shown_changes = 20;
export const kept_changes = 50;

/** The fields of a change that rules use. */
export interface ChangeStanding {
  step: Step;
  kind: ChangeView['kind'];
}

/**
 * Why an actor may not make such a change or end it, or null: what changes no content is one of the options, and erasing
 * needs the right `reset` besides. Refuses as `whyNotHave`.
 */
export function whyNotMake({
  kind,
  content,
  erase,
}: {
  kind: ChangeView['kind'];
  content: object | null;
  erase: boolean;
}) {
  const right = kind === 'loader' || (kind === 'undo' && content === null) ? 'options' : 'content';
  return (actor: Actor | null, server: ServerFacts | null): RefusalCode | null =>
    whyNotHave[right](actor, server) ?? (erase ? whyNotHave.reset(actor, server) : null);
}

/** Whether a change goes on. */
export const isOpenStep = (step: Step): boolean => (openSteps as readonly Step[]).includes(step);

/**
 * Why a change cannot be ended now, or null: from the first changed file on it goes on. `fetches`: its files are fetched first,
 * which an agent gives up. Ending what is over changes nothing.
 */
export function whyNotCancelChange({ step, fetches }: { step: Step; fetches: boolean }): RefusalCode | null {
  if (step === 'applying') return fetches ? null : 'change_not_cancellable';
  return step === 'erasing' || step === 'starting' ? 'change_not_cancellable' : null;
}

/**
 * Why a change cannot be taken back, or null. `newer`: whether a newer change is in progress, or was made and not taken
 * back.
 */
export function whyNotUndoChange(change: ChangeStanding & { newer: boolean }): RefusalCode | null {
  if (isOpenStep(change.step)) return 'server_busy';
  return change.step === 'done' && change.kind !== 'undo' && !change.newer ? null : 'change_not_undoable';
}

/** Whether a change counts as `newer` for those before it. */
export const isInForce = ({ step, kind }: ChangeStanding): boolean =>
  isOpenStep(step) || (step === 'done' && kind !== 'undo');
