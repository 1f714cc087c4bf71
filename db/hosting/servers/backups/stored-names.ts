/** Names of the files of a backup at the platform, and the keys of its storage: nothing below `private/` has a URL. */

/** Both files of a backup: its archive and what is known of it. */
const endings = ['tar.zst', 'json'] as const;
const pattern = /^([0-9A-Za-z]{1,11})\.(tar\.zst|json)$/;

/** Most bytes of what is stored beside an archive. */
const max_sidecar_bytes = 1024 * 1024;

/** Most bytes that a backup of a server with so much disk may take: what does not compress takes a little more as an archive. */
export const maxBackupBytes = (disk_mb: number): number => Math.ceil(disk_mb * 1.05 + 64) * 1024 * 1024;

/** The backup that a file belongs to; null when the name is none of a backup. */
export const backupOfName = (name: string): string | null => pattern.exec(name)?.[1] ?? null;

/** Most bytes of a file with this name. */
export const maxBytesOfName = (name: string, disk_mb: number): number =>
  name.endsWith('.json') ? max_sidecar_bytes : maxBackupBytes(disk_mb);

export const archiveName = (backup_id: string): string => `${backup_id}.tar.zst`;

export const backupKey = (server_id: string, name: string): string => `private/backups/${server_id}/${name}`;

/** The keys of everything that is stored of a backup. */
export const keysOfBackup = (server_id: string, backup_id: string): string[] =>
  endings.map((ending) => backupKey(server_id, `${backup_id}.${ending}`));
