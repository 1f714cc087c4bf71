import { z } from 'zod';
import { backupTargets } from '#db/hosting/servers/backups/rules.ts';
import type { Ack } from './ack.ts';

/**
 * Operations on backups that the control plane asks of an agent; backups themselves are rows in Postgres
 * (`db/hosting/servers/backups`). Source: hosting §1d, §5.6.
 */

const whole = z.int().min(0);
const backupId = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
/** An address of the control plane, which works once: its path and query. */
const address = z.string().regex(/^\/\w[\w/]*(\?[\w=&.-]*)?$/);

const backupEngines = ['archive', 'restic'] as const;
export type BackupEngineId = (typeof backupEngines)[number];
export type BackupTargetId = (typeof backupTargets)[number];

/** Where a backup is and how it was made; an agent has the credentials of its targets in its own settings. */
const stored = { backup_id: backupId, engine: z.enum(backupEngines), target: z.enum(backupTargets) };

/** Facts of a node: where it can keep backups, and a name of its S3 store that tells stores apart; older agents leave them out. */
export const backupPlaces = {
  backup_targets: z.array(z.string().max(20)).max(10).optional(),
  backup_store: z.string().max(100).optional(),
};

/** What is known of the content of a backup. */
export const backupFacts = z.object({
  /** What it takes at its target, and what its files have. */
  bytes: whole,
  content_bytes: whole,
  files: whole,
  /** SHA-256 of the archive; null for an engine that checks by itself. */
  sha256: z.string().nullable(),
  /** Files that changed while they were read, the first 100, and how many there are. */
  changed: z.array(z.string()).max(100),
  changed_count: whole,
  /** Nothing is different from the backup before. */
  unchanged: z.boolean(),
});
export type BackupFacts = z.output<typeof backupFacts>;

export const backupOperations = {
  /** Makes a backup while the server runs: saving is off meanwhile, and on again in every outcome. */
  backup_create: { input: z.object({ ...stored, max_bytes: whole }), output: backupFacts },
  /** Replaces all files by those of a backup. The server must be stopped. The state before is back when it fails. */
  backup_restore: {
    input: z.object({
      ...stored,
      sha256: z.string().nullable(),
      /** The server that it is a backup of, when that is another one on the same node. */
      source_id: backupId.optional(),
    }),
    output: z.object({ files: whole, content_bytes: whole }),
  },
  /** Unpacks a backup into an empty folder, compares sums and removes the folder. */
  backup_verify: {
    input: z.object({ ...stored, sha256: z.string().nullable() }),
    output: z.object({ files: whole, content_bytes: whole, damaged: z.array(z.string()).max(100) }),
  },
  backup_delete: { input: z.object(stored), output: z.object({}) },
  /** Sends a backup as one `tar.zst` by PUT to an address. */
  backup_send: { input: z.object({ ...stored, put: address }), output: z.object({ bytes: whole }) },
  /** Ends the operation of this id when it runs; what it made so far is removed. */
  backup_cancel: { input: z.object({ op_id: z.uuid() }), output: z.object({ was_running: z.boolean() }) },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;

/** A file of a backup at the storage of the platform. */
const storedFile = { server_id: backupId, name: z.string().regex(/^[0-9A-Za-z]{1,11}\.(tar\.zst|json)$/) };
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const lease = whole;

/**
 * What an agent asks of the control plane about backups at the platform; bytes travel by one-time addresses. Since version 5.
 */
export const storageRequests = {
  /** An address that works once: `to` sends a file by PUT, `from` fetches it by GET. */
  'backup.address': {
    input: z.object({ lease, ...storedFile, direction: z.enum(['to', 'from']) }),
    output: z.object({ address }),
  },
  /** What was sent to `address`: the file gets its name when exactly this arrived. */
  'backup.commit': {
    input: z.object({ lease, address, bytes: whole, sha256 }),
    output: z.object({}),
  },
  /** Removes a file of a backup that is not complete. */
  'backup.remove': { input: z.object({ lease, ...storedFile }), output: z.object({}) },
  /**
   * The password of the restic repository of a server. `offered` is kept when there is none yet; null asks only. Null when
   * there is none.
   */
  'backup.password': {
    input: z.object({
      lease,
      server_id: backupId,
      offered: z
        .string()
        .regex(/^[\w-]{20,200}$/)
        .nullable(),
    }),
    output: z.object({ password: z.string().nullable() }),
  },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;
export type StorageRequest = keyof typeof storageRequests;
/** What an agent sends besides its lease, and what it gets. */
export type StorageQuestion<R extends StorageRequest> = Omit<
  z.output<(typeof storageRequests)[R]['input']>,
  'lease'
>;
export type StorageAnswer<R extends StorageRequest> = z.output<(typeof storageRequests)[R]['output']>;

/** What the control plane answers to a PUT at an address: what arrived. */
export const arrivedBytes = z.object({ bytes: whole, sha256 });

/** The same as the typed socket of an agent has them. */
export type StorageMessages = {
  [R in StorageRequest]: (
    message: z.input<(typeof storageRequests)[R]['input']>,
    ack: (
      answer: Ack<R extends 'backup.commit' | 'backup.remove' ? Record<never, never> : StorageAnswer<R>>,
    ) => void,
  ) => void;
};

/** A backup of a deleted server that is to be removed from a store. */
export interface DiscardedBackup {
  backup_id: string;
  server_id: string;
  engine: BackupEngineId;
}

export interface DiscardMessages {
  /** Removes backups of deleted servers from the S3 store of an agent; gives those that are gone. Since version 5. */
  'backups.discard'(
    message: { lease: number; backups: DiscardedBackup[] },
    ack: (answer: { removed: string[] }) => void,
  ): void;
}
