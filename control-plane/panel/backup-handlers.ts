import { cancelBackup } from '#db/hosting/servers/backups/cancel.ts';
import { downloadBackup } from '#db/hosting/servers/backups/download.ts';
import { listBackups } from '#db/hosting/servers/backups/read.ts';
import { requestRestore } from '#db/hosting/servers/backups/restore.ts';
import { setRetention } from '#db/hosting/servers/backups/schedule.ts';
import {
  createBackup,
  deleteBackups,
  renameBackup,
  retryBackup,
  setBackupLock,
  verifyBackup,
} from '#db/hosting/servers/backups/write.ts';
import { storeHead } from '#db/hosting/servers/exports/head.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import { waysTo } from '../transfers/ways-to.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type BackupHandlers = { [E in keyof All as E extends `backups.${string}` ? E : never]: All[E] };

/** The handlers of requests about backups: each changes rows, and the change tells agents and panels. */
export function backupHandlers({ context }: PanelServices, asUser: AsUser): BackupHandlers {
  const { sql, now, settings } = context;
  return {
    'backups.list': asUser((actor, { server_id }) => listBackups(sql, actor, server_id, now())),
    'backups.create': asUser(async (actor, { takes_away, ...message }) => ({
      backup: await sql.begin((tx) =>
        createBackup(tx, actor, { ...message, ...(takes_away && { storeHead }) }, settings, now()),
      ),
    })),
    'backups.rename': asUser(async (actor, message) => ({
      backup: await sql.begin((tx) => renameBackup(tx, actor, message, now())),
    })),
    'backups.lock': asUser(async (actor, message) => ({
      backup: await sql.begin((tx) => setBackupLock(tx, actor, message, now())),
    })),
    'backups.delete': asUser(async (actor, message) => {
      await sql.begin((tx) => deleteBackups(tx, actor, message, now()));
      return {};
    }),
    'backups.restore': asUser(async (actor, message) => ({
      backup: await sql.begin((tx) => requestRestore(tx, actor, message, settings, now())),
    })),
    'backups.verify': asUser(async (actor, message) => ({
      backup: await sql.begin((tx) => verifyBackup(tx, actor, message, now())),
    })),
    'backups.cancel': asUser(async (actor, message) => {
      await sql.begin((tx) => cancelBackup(tx, actor, message, settings, now()));
      return {};
    }),
    'backups.retry': asUser(async (actor, message) => ({
      backup: await sql.begin((tx) => retryBackup(tx, actor, message, now())),
    })),
    'backups.download': asUser(async (actor, message) => {
      const { address, node_id } = await sql.begin((tx) => downloadBackup(tx, actor, message, now()));
      return await waysTo(sql, address, node_id);
    }),
    'backups.retain': asUser(async (actor, message) => ({
      retention: await sql.begin((tx) => setRetention(tx, actor, message, now())),
    })),
  };
}
