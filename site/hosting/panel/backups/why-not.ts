import { roomForBackup } from '#db/hosting/servers/backups/retention.ts';
import {
  countedStates,
  exclusiveStates,
  isInProgress,
  whyNotDeleteBackup,
  whyNotRetryBackup,
  whyNotUseBackup,
  whyNotVerifyBackup,
} from '#db/hosting/servers/backups/rules.ts';
import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { whyNotDownload, whyNotHave, whyNotOperate } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { factsOf } from '../../shared/state.ts';
import { whyNotNow } from '../core/access.ts';

/** Why something cannot be done with backups now, in words; the rules are those of the control plane. */

/** What the page knows: the reasons follow from it. */
export interface Situation {
  server: ServerView;
  backups: readonly BackupView[];
  most: number;
  isOpen: boolean;
}

const isIn = (states: readonly string[], { state }: BackupView): boolean => states.includes(state);

/** Those that count against the limit: failed ones and those that are deleted do not. */
export const countedBackups = (backups: readonly BackupView[]): number =>
  backups.filter((one) => isIn(countedStates, one)).length;

/** Whether an automated backup fits: older automated ones may go for it. */
export const hasRoom = (
  backups: readonly BackupView[],
  retention: RetentionRules,
  spared: string,
  now: Date,
): boolean => roomForBackup(backups, retention, { created: now.toISOString(), spared }) !== null;

/** Why the server's node cannot do anything with backups now, or null. */
export function whyNotWork(labels: PageMessages, { server, backups, isOpen }: Situation): string | null {
  const why = whyNotNow(labels, isOpen, whyNotHave.backups);
  if (why) return why;
  const isBusy = backups.some((one) => isIn(exclusiveStates, one));
  const code = whyNotOperate(factsOf(server)) ?? (isBusy ? 'backup_in_progress' : null);
  return code && refusalText(labels, { error: code, description: '' });
}

/** Why the bytes of a server cannot be had now, or null: in the grace period they can. `stored`: they need no node. */
function whyNotTake(labels: PageMessages, { server, isOpen }: Situation, stored: boolean): string | null {
  const why = whyNotNow(labels, isOpen, whyNotHave.backups);
  if (why) return why;
  const { reason } = server.lifecycle_data;
  const code = whyNotDownload({ ...factsOf(server), reason, placed: server.node !== null }, stored);
  return code && refusalText(labels, { error: code, description: '' });
}

/** Why a backup cannot be downloaded now, or null. */
export const whyNotDownloadBackup = (labels: PageMessages, situation: Situation, { target }: BackupView) =>
  whyNotTake(labels, situation, target === 'platform');

/** Why no export can be made now, or null. */
export function whyNotExport(labels: PageMessages, situation: Situation): string | null {
  const { server, backups } = situation;
  if (server.lifecycle !== 'suspended') return whyNotCreate(labels, situation);
  if (!backups.some((one) => isIn(exclusiveStates, one))) return whyNotTake(labels, situation, false);
  return refusalText(labels, { error: 'backup_in_progress', description: '' });
}

/** Why no backup can be made now, or null. */
export function whyNotCreate(labels: PageMessages, situation: Situation): string | null {
  const { backups, most } = situation;
  const why = whyNotWork(labels, situation);
  if (why || countedBackups(backups) < most) return why;
  return labels.t('error.backups_too_many', { most: labels.number(most) });
}

/** Actions that make no sense for a backup in its state are not offered. */
const rules = {
  restore: whyNotUseBackup,
  download: whyNotUseBackup,
  verify: whyNotVerifyBackup,
  lock: whyNotVerifyBackup,
  retry: whyNotRetryBackup,
};
/** Whether an action makes sense for a backup as it is. */
export function isOffered(action: keyof typeof rules | 'cancel', backup: BackupView): boolean {
  if (action === 'cancel') return isInProgress(backup.state) && backup.state !== 'deleting';
  return rules[action](backup) === null;
}

/** Whether it can be deleted as it is. */
export const isDeletable = (backup: BackupView): boolean =>
  backup.state !== 'deleting' && whyNotDeleteBackup(backup) === null;
