import { Refused } from './errors.ts';
import { violatedConstraint } from './sql.ts';

/** Unique constraints, named after the refusal they mean. */
const ofConstraint = {
  project_slug_taken: 'project_slug_taken',
  organization_slug_taken: 'organization_slug_taken',
  username_taken: 'username_taken',
  email_taken: 'email_taken',
  file_repeated: 'file_repeated',
  file_name_repeated: 'file_name_repeated',
  trial_used: 'trial_used',
} as const;

/** Postgres' codes for text it cannot hold: the character U+0000. */
const unstorable = new Set(['22021', '22P05']);

/** Two changes met each other and this one lost (deadlock, serialization): nothing is stored, trying again works. */
const lostRace = new Set(['40P01', '40001']);

/** A statement took longer than the pool allows. */
const too_slow = '57014';

/** The connection to Postgres failed or ended, or the server is starting or stopping: it heals by itself. */
const unavailable = new Set([
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
/** The same codes of the file system are faults of ours: only the driver's errors count. */
const isUnavailable = (error: { code?: string; syscall?: string }): boolean =>
  unavailable.has(error?.code ?? '') && (error.code !== 'ENOENT' || error.syscall === 'connect');

/** What somebody can act on in a thrown `error`: a refusal, or a database error that means one. Null for our own faults. */
export function toRefused(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  const code = (error as { code?: string })?.code ?? '';
  if (unstorable.has(code)) {
    return new Refused('invalid_input', { problem: 'text must not hold the character U+0000' });
  }
  if (isUnavailable(error as { code?: string })) return new Refused('database_away');
  if (lostRace.has(code) || code === too_slow) return new Refused('busy');
  const constraint = violatedConstraint(error);
  return constraint && Object.hasOwn(ofConstraint, constraint)
    ? new Refused(ofConstraint[constraint as keyof typeof ofConstraint])
    : null;
}
