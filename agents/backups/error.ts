/** Why an operation on a backup failed: a refusal code of `db/platform/errors.ts`, or `cancelled`. */
export type BackupErrorCode =
  | 'backup_not_found'
  | 'backup_damaged'
  | 'backup_target_failed'
  | 'server_still_running'
  | 'server_busy'
  | 'disk_full'
  | 'cancelled';

export class BackupError extends Error {
  readonly code: BackupErrorCode;
  /** Values for the text of the refusal. */
  readonly data: Record<string, string>;
  constructor(code: BackupErrorCode, problem = '') {
    super(problem ? `${code}: ${problem}` : code);
    this.code = code;
    this.data =
      code === 'backup_target_failed'
        ? { problem: problem.slice(0, 300) }
        : code === 'server_busy'
          ? { by: problem }
          : {};
  }
}

/** The error of a target: `problem` says what to change. What is one already, stays it. */
export function targetFailed(error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new BackupError('backup_target_failed', 'its disk is full');
  const known = name && name !== 'Error' ? `${name}: ` : '';
  return new BackupError(
    'backup_target_failed',
    message ? `${known}${message}` : (code ?? 'it does not answer'),
  );
}
