import type { ChangeView } from '#db/hosting/servers/content/view.ts';

/** Where a change of content is. Pure. */

const ended: ReadonlySet<ChangeView['step']> = new Set(['done', 'failed', 'cancelled', 'undone']);
export const isEnded = ({ step }: ChangeView): boolean => ended.has(step);
/** Whether it can still be ended without anything being different. */
export const isCancellable = ({ step }: ChangeView): boolean => step === 'stopping' || step === 'safety';

/** The change that goes on; there is one at most. */
export const currentChange = (changes: readonly ChangeView[]): ChangeView | null =>
  changes.find((one) => !isEnded(one)) ?? null;

/** The newest change, if the server did not start after it and it was not taken back. */
export function failedStart(changes: readonly ChangeView[]): ChangeView | null {
  const newest = changes.find(({ step }) => step !== 'cancelled' && step !== 'failed');
  return newest?.step === 'done' && newest.start_failed ? newest : null;
}

/** How much of it is done, 0 to 1; null while that is not known. */
export const shareDone = ({ progress }: ChangeView): number | null =>
  progress?.total ? Math.min(1, Math.max(0, progress.done / progress.total)) : null;

/** Whether the server loads what is different only at its next start. */
export const needsRestart = ({ kind }: ChangeView): boolean => kind !== 'modpack' && kind !== 'loader';
