import { z } from 'zod';
import { backupView, retentionRules } from '#db/hosting/servers/backups/view.ts';
import type { RequestMap } from './ack.ts';
import { transferWays } from './transfers.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const opId = z.uuid();
const nothing = z.strictObject({});
const ofBackup = z.object({ server_id: id, backup_id: id });

/** Requests of panels about backups. */
export const backupRequests = {
  'backups.list': {
    input: z.object({ server_id: id }),
    output: z.strictObject({
      /** Newest first. */
      backups: z.array(backupView),
      most: z.int(),
      retention: retentionRules,
    }),
    limit: 'calls',
  },
  /**
   * Without a name it gets "Backup #n". The same `op_id` twice makes one backup. `takes_away`: an export, with what is known
   * of the server in its archive; its download can go on after a cut for as long as it is kept.
   */
  'backups.create': {
    input: z.object({
      ...{ server_id: id, op_id: opId, name: z.string().max(200).optional() },
      takes_away: z.boolean().optional(),
    }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
  },
  'backups.rename': {
    input: ofBackup.extend({ name: z.string().max(200) }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
  },
  'backups.lock': {
    input: ofBackup.extend({ locked: z.boolean() }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
  },
  'backups.delete': {
    input: z.object({ server_id: id, backup_ids: z.array(id).min(1).max(100) }),
    output: nothing,
    limit: 'calls',
  },
  /**
   * Replaces all files. `safety` makes a backup of the state before first. `to`: another server of the same owner instead.
   * A running server is refused unless `stop` says that it may be stopped; it is started again afterwards.
   */
  'backups.restore': {
    input: ofBackup.extend({
      op_id: opId,
      to: id.optional(),
      safety: z.boolean(),
      stop: z.boolean(),
    }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
  },
  'backups.verify': {
    input: ofBackup.extend({ op_id: opId }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
  },
  /** Ends what is in progress on a backup. */
  'backups.cancel': { input: ofBackup, output: nothing, limit: 'calls' },
  /** Makes a failed backup again, under the same name. */
  'backups.retry': {
    input: ofBackup.extend({ op_id: opId }),
    output: z.strictObject({ backup: backupView }),
    limit: 'calls',
  },
  /** As one `tar.zst`: `GET address` on the site, once; of an export as often as wanted, also in parts. */
  'backups.download': { input: ofBackup, output: z.strictObject(transferWays), limit: 'calls' },
  'backups.retain': {
    input: z.object({ server_id: id, retention: retentionRules }),
    output: z.strictObject({ retention: retentionRules }),
    limit: 'calls',
  },
} as const satisfies RequestMap;
