import type { MessageKey } from '#content/keys.ts';
import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import { requestFromPanel } from '../core/open-panel.ts';
import { startDownload } from '../transfer-way.ts';
import { $limits, act, showBackup } from './backups.store.ts';

/**
 * What is done to backups. A dialog shows its refusal itself (`refused`); any other one is a toast. Operation ids are made
 * once for each action, so that a retry is not a second one.
 */

export type Refused = (error: ApiError) => boolean;

const shown = ({ backup }: { backup: BackupView }) => showBackup(backup);

/** Makes a backup. Gives whether it was accepted. */
export function createBackup(op_id: string, name: string, refused: Refused): Promise<boolean> {
  return act('create', {
    send: () => requestFromPanel('backups.create', { op_id, ...(name !== '' && { name }) }),
    refresh: shown,
    refused,
  });
}

/** Makes an export. */
export function createExport(failure: string): Promise<boolean> {
  const op_id = crypto.randomUUID();
  return act('export', {
    send: () => requestFromPanel('backups.create', { op_id, takes_away: true }),
    refresh: shown,
    failure,
  });
}

export const renameBackup = (backup_id: string, name: string, refused: Refused): Promise<boolean> =>
  act(`rename ${backup_id}`, {
    send: () => requestFromPanel('backups.rename', { backup_id, name }),
    refresh: shown,
    refused,
  });

export const lockBackup = (backup_id: string, locked: boolean): Promise<boolean> =>
  act(`lock ${backup_id}`, {
    send: () => requestFromPanel('backups.lock', { backup_id, locked }),
    refresh: shown,
  });

export const deleteBackups = (backup_ids: readonly string[]): Promise<boolean> =>
  act('delete', { send: () => requestFromPanel('backups.delete', { backup_ids: [...backup_ids] }) });

export interface Restore {
  op_id: string;
  backup_id: string;
  /** Another server. */
  to?: string;
  safety: boolean;
  stop: boolean;
}
export const restoreBackup = (restore: Restore, refused: Refused): Promise<boolean> =>
  act('restore', { send: () => requestFromPanel('backups.restore', restore), refresh: shown, refused });

/** Verifies, or makes a failed backup again. */
export function redo(action: 'verify' | 'retry', backup_id: string, failure: string): Promise<boolean> {
  const op_id = crypto.randomUUID();
  return act(`${action} ${backup_id}`, {
    send: () => requestFromPanel(`backups.${action}`, { backup_id, op_id }),
    refresh: shown,
    failure,
  });
}

export const cancelWork = (backup_id: string): Promise<boolean> =>
  act(`cancel ${backup_id}`, { send: () => requestFromPanel('backups.cancel', { backup_id }) });

/** Prepares a download; the browser then downloads from the address. */
export const downloadBackup = (backup_id: string, failure: string): Promise<boolean> =>
  act(`download ${backup_id}`, {
    send: () => requestFromPanel('backups.download', { backup_id }),
    refresh: startDownload,
    failure,
  });

export const saveRetention = (retention: RetentionRules, refused: Refused): Promise<boolean> =>
  act('retain', {
    send: () => requestFromPanel('backups.retain', { retention }),
    refresh: (saved) => {
      const limits = $limits.get();
      if (limits) $limits.set({ ...limits, retention: saved.retention });
    },
    refused,
  });

/** A refusal inside a dialog: what it says, with how long to wait where that is known. */
export function refusalIn({ t, number }: PageMessages, { status, description, details }: ApiError): string {
  const wait = Number(details.retry_after_ms);
  if (status === 429 && wait > 0)
    return t('backup.too_fast', { seconds: number(Math.max(1, Math.ceil(wait / 1000))) });
  return description || t(status === 0 ? 'servers.line_lost' : ('backup.action_failed' satisfies MessageKey));
}
