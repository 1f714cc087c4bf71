import { Refused } from '#db/platform/errors.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import type { Status } from './wire.ts';

/** A request that failed, as the client is told. The protocol has no language: the text is English. */
export class SftpFailure extends Error {
  readonly status: Status;

  constructor(status: Status, text: string) {
    super(text);
    this.name = 'SftpFailure';
    this.status = status;
  }
}

const missing: readonly string[] = ['file_not_found'];
const denied: readonly string[] = [
  ...['authentication_required', 'scope_missing', 'server_not_found', 'server_suspended', 'token_invalid'],
  'file_not_regular',
];

/** What to tell the client about an error; null for a bug, which is logged and not shown. */
export function failureOf(error: unknown): SftpFailure | null {
  if (error instanceof SftpFailure) return error;
  const refused = error instanceof Refused ? error : toRefused(error);
  if (!refused) return null;
  const status = missing.includes(refused.code)
    ? 'no_such_file'
    : denied.includes(refused.code)
      ? 'permission_denied'
      : 'failure';
  return new SftpFailure(status, refused.message);
}
