import { Refused } from '../errors.ts';
import { violatedConstraint } from './sql.ts';

/** Unique constraints are named after their refusal. */
const ofConstraint = {
  project_slug_taken: 'project_slug_taken',
  organization_slug_taken: 'organization_slug_taken',
  username_taken: 'username_taken',
  email_taken: 'email_taken',
  file_repeated: 'file_repeated',
  file_name_repeated: 'file_name_repeated',
  trial_used: 'trial_used',
  backup_name_taken: 'backup_name_taken',
  subdomain_taken: 'subdomain_taken',
} as const;

/** Postgres error codes for text it cannot store: the character U+0000. */
const unstorable = new Set(['22021', '22P05']);

/** Deadlock or serialization failure: nothing is stored, a retry works. */
const lostRace = new Set(['40P01', '40001']);

/**
 * A foreign key, which the rules have checked before: another transaction deleted the row meanwhile, or refers to the row
 * that this one deletes.
 */
const foreign_key = new Set(['23503', '23001']);
const isStillReferenced = ({ code, detail = '' }: { code?: string; detail?: string }): boolean =>
  code === '23001' || detail.includes('still referenced');

/** The statement exceeded the timeout of the pool, or no connection became free in time. */
const too_slow = new Set(['57014', 'POOL_EXHAUSTED']);

/** The connection to Postgres failed or closed, or the server is starting or stopping: temporary. */
const unavailable = new Set([
  'DATABASE_AWAY',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
]);
/** Only errors of the driver count: file system errors with the same codes are internal errors. */
const isUnavailable = (error: { code?: string; syscall?: string }): boolean =>
  unavailable.has(error?.code ?? '') && (error.code !== 'ENOENT' || error.syscall === 'connect');

/** The refusal for a thrown `error`: a refusal itself, or a database error that means one. Null for internal errors. */
export function toRefused(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  const code = (error as { code?: string })?.code ?? '';
  if (unstorable.has(code)) {
    return new Refused('invalid_input', { problem: 'text must not hold the character U+0000' });
  }
  if (isUnavailable(error as { code?: string })) return new Refused('database_away');
  if (lostRace.has(code) || too_slow.has(code)) return new Refused('busy');
  if (foreign_key.has(code)) return new Refused(isStillReferenced(error as object) ? 'busy' : 'not_found');
  const constraint = violatedConstraint(error);
  return constraint && Object.hasOwn(ofConstraint, constraint)
    ? new Refused(ofConstraint[constraint as keyof typeof ofConstraint])
    : null;
}
