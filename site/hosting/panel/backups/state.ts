import type { MessageKey } from '#content/keys.ts';
import { isInProgress } from '#db/hosting/servers/backups/rules.ts';
import type { BackupState, BackupView } from '#db/hosting/servers/backups/view.ts';

/** How the state of a backup is displayed. Pure. Source: specification §4; looks §7 (Queue item). */
interface StateView {
  tone: 'rest' | 'note' | 'warn' | 'bad';
  icon: 'queued' | 'working' | 'kept' | 'same' | 'failed' | 'stopped' | 'opened' | 'checking' | 'damaged';
  /** Its name, on a badge; of a backup that is simply there none is shown. */
  text: MessageKey;
  /** A sentence about it. */
  more: MessageKey | null;
}

export const stateViews: Record<BackupState, StateView> = {
  queued: { tone: 'rest', icon: 'queued', text: 'backup.state_queued', more: 'backup.queued_text' },
  creating: { tone: 'note', icon: 'working', text: 'backup.state_creating', more: null },
  done: { tone: 'rest', icon: 'kept', text: 'backup.state_done', more: null },
  unchanged: { tone: 'rest', icon: 'same', text: 'backup.state_unchanged', more: 'backup.unchanged_text' },
  failed: { tone: 'bad', icon: 'failed', text: 'backup.state_failed', more: null },
  cancelled: {
    tone: 'rest',
    icon: 'stopped',
    text: 'backup.state_cancelled',
    more: 'backup.cancelled_text',
  },
  restoring: {
    tone: 'note',
    icon: 'working',
    text: 'backup.state_restoring',
    more: 'backup.restoring_text',
  },
  preparing: { tone: 'note', icon: 'opened', text: 'backup.state_preparing', more: null },
  verifying: { tone: 'note', icon: 'checking', text: 'backup.state_verifying', more: null },
  deleting: { tone: 'rest', icon: 'working', text: 'backup.state_deleting', more: null },
  damaged: { tone: 'warn', icon: 'damaged', text: 'backup.state_damaged', more: 'backup.damaged_text' },
};

/** How much of what is in progress is done, 0 to 1; null while that is not known. */
export function shareDone({ progress }: BackupView): number | null {
  if (!progress?.total) return null;
  return Math.min(1, Math.max(0, progress.done / progress.total));
}

const failures: Partial<Record<BackupState, MessageKey>> = {
  creating: 'backup.create_failed',
  restoring: 'backup.restore_failed',
  preparing: 'backup.download_failed',
  verifying: 'backup.verify_failed',
  deleting: 'backup.delete_failed',
};
/** What failed, as a sentence: of a failed backup its making, otherwise what was last in progress on it. */
export const failureText = ({ state }: BackupView, last: BackupState | undefined): MessageKey =>
  (state === 'failed' ? failures.creating : last && failures[last]) ?? 'backup.action_failed';

/** What was last in progress on each of `next`: what is now, or what was before. */
export function lastWorkOf(
  next: readonly BackupView[],
  before: Readonly<Record<string, BackupState>>,
): Record<string, BackupState> {
  const known = next.flatMap((one): [string, BackupState][] => {
    const last = isInProgress(one.state) ? one.state : before[one.id];
    return last ? [[one.id, last]] : [];
  });
  return Object.fromEntries(known);
}

/** Those of `next` that were there before in another state. */
export const changedStates = (
  next: readonly BackupView[],
  before: readonly BackupView[] | null,
): BackupView[] => {
  const states = new Map((before ?? []).map(({ id, state }) => [id, state]));
  return next.filter(({ id, state }) => states.has(id) && states.get(id) !== state);
};
