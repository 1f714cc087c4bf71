/** Settings of hosting that do not fit each other. */

/** Why not so many control planes, or null: each needs an address of its own. */
export const whyNotPlanes = (given: { CONTROL_URL: string[]; CONTROL_PLANES: number }): string | null =>
  given.CONTROL_URL.length > 0 && given.CONTROL_URL.length < given.CONTROL_PLANES
    ? `CONTROL_PLANES=${given.CONTROL_PLANES} needs as many addresses in CONTROL_URL.`
    : null;

/** Why backups cannot be made like that, or null: a repository of restic is on a disk or in a store that restic reaches itself. */
export const whyNotBackups = (given: { BACKUP_ENGINE: string; BACKUP_TARGET: string }): string | null =>
  given.BACKUP_ENGINE === 'restic' && given.BACKUP_TARGET === 'platform'
    ? 'BACKUP_ENGINE=restic cannot keep backups at BACKUP_TARGET=platform: use BACKUP_ENGINE=archive, or BACKUP_TARGET=s3 or node.'
    : null;
