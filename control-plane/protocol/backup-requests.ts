import { z } from 'zod';
import { cancelBackup } from '#db/hosting/servers/backups/cancel.ts';
import { listBackups } from '#db/hosting/servers/backups/read.ts';
import { requestRestore } from '#db/hosting/servers/backups/restore.ts';
import { setRetention } from '#db/hosting/servers/backups/schedule.ts';
import { backupView, retentionRules } from '#db/hosting/servers/backups/view.ts';
import {
  createBackup,
  deleteBackups,
  renameBackup,
  retryBackup,
  setBackupLock,
  verifyBackup,
} from '#db/hosting/servers/backups/write.ts';
import { storeHead } from '#db/hosting/servers/exports/head.ts';
import type { RequestMap } from './ack.ts';
import { stored } from './stored.ts';
import { transferWays } from './transfers.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const opId = z.uuid();
const nothing = z.strictObject({});
const ofBackup = z.object({ server_id: id, backup_id: id });

/** Requests of panels about backups. */
export const backupRequests = {
  'backups.list': stored({
    input: z.object({ server_id: id }),
    output: z.strictObject({
      /** Newest first. */
      backups: z.array(backupView),
      most: z.int(),
      retention: retentionRules,
    }),
    limit: 'calls',
    answer: ({ db, actor, now }, { server_id }) => listBackups(db, actor, server_id, now()),
  }),
  /**
   * Without a name it gets "Backup #n". The same `op_id` twice makes one backup. `takes_away`: an export, with what is known
   * of the server in its archive; its download can go on after a cut for as long as it is kept.
   */
  'backups.create': stored({
    input: z.object({
      ...{ server_id: id, op_id: opId, name: z.string().max(200).optional() },
      takes_away: z.boolean().optional(),
    }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
    write: ({ db, actor, settings, now }, { takes_away, ...message }) =>
      createBackup(db, actor, { ...message, ...(takes_away && { storeHead }) }, settings, now()),
    answer: (_call, _message, backup) => ({ backup }),
  }),
  'backups.rename': stored({
    input: ofBackup.extend({ name: z.string().max(200) }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => renameBackup(db, actor, message, now()),
    answer: (_call, _message, backup) => ({ backup }),
  }),
  'backups.lock': stored({
    input: ofBackup.extend({ locked: z.boolean() }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => setBackupLock(db, actor, message, now()),
    answer: (_call, _message, backup) => ({ backup }),
  }),
  'backups.delete': stored({
    input: z.object({ server_id: id, backup_ids: z.array(id).min(1).max(100) }),
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, now }, message) => deleteBackups(db, actor, message, now()),
    answer: () => ({}),
  }),
  /**
   * Replaces all files. `safety` makes a backup of the state before first. `to`: another server of the same owner instead.
   * A running server is refused unless `stop` says that it may be stopped; it is started again afterwards.
   */
  'backups.restore': stored({
    input: ofBackup.extend({
      op_id: opId,
      to: id.optional(),
      safety: z.boolean(),
      stop: z.boolean(),
    }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) => requestRestore(db, actor, message, settings, now()),
    answer: (_call, _message, backup) => ({ backup }),
  }),
  'backups.verify': stored({
    input: ofBackup.extend({ op_id: opId }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => verifyBackup(db, actor, message, now()),
    answer: (_call, _message, backup) => ({ backup }),
  }),
  /** Ends what is in progress on a backup. */
  'backups.cancel': stored({
    input: ofBackup,
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) => cancelBackup(db, actor, message, settings, now()),
    answer: () => ({}),
  }),
  /** Makes a failed backup again, under the same name. */
  'backups.retry': stored({
    input: ofBackup.extend({ op_id: opId }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => retryBackup(db, actor, message, now()),
    answer: (_call, _message, backup) => ({ backup }),
  }),
  /** As one `tar.zst`: `GET address` on the site, once; of an export as often as wanted, also in parts. */
  'backups.download': { input: ofBackup, output: z.strictObject(transferWays), limit: 'calls' },
  'backups.retain': stored({
    input: z.object({ server_id: id, retention: retentionRules }),
    output: z.strictObject({ retention: retentionRules }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => setRetention(db, actor, message, now()),
    answer: (_call, _message, retention) => ({ retention }),
  }),
} as const satisfies RequestMap;
