import { Refused } from '../../errors.ts';
import { recordEvent } from '../../events/write.ts';
import { randomText } from '../../id.ts';
import type { Actor } from '../../people/rules.ts';
import type { Db } from '../../sql.ts';
import { analyseLogs } from '../crashes/analyse.ts';
import { findAuthorizedServer } from '../read.ts';
import { createRedactor } from '../redact/redact.ts';
import { whyNotChange, whyNotHave } from '../rules.ts';
import { lockChangeableServer } from '../write.ts';
import {
  type LogLifetime,
  log_id_letters,
  logLifetimes,
  max_shared_bytes,
  max_shared_logs,
} from './rules.ts';

interface NewLog {
  server_id: string;
  /** Path of the file; `''` is the console. */
  name: string;
  text: string;
  lifetime: LogLifetime;
  /** Secrets of the server that are known, such as the password of RCON. */
  secrets: readonly string[];
}

/** What Postgres and browsers can show: lines, tabs and colours go, everything else stays. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const noise = /\u001b\[[0-9;:]{0,40}[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** The text as it is stored: without secrets and addresses, its last mebibyte in whole lines. */
function storedText(text: string, secrets: readonly string[]): string {
  const clean = createRedactor({ secrets })(text.toWellFormed().replace(/\r\n?/g, '\n').replace(noise, ''));
  const bytes = new TextEncoder().encode(clean);
  if (bytes.length <= max_shared_bytes) return clean;
  const end = bytes.subarray(bytes.length - max_shared_bytes);
  return new TextDecoder().decode(end.subarray(end.indexOf(0x0a) + 1));
}

/**
 * Stores a log under a new address that nobody can guess, without secrets and addresses. Refuses as `whyNotHave.files`,
 * `log_unreadable` for an empty text, and `logs_too_many`.
 */
export async function shareLog(tx: Db, actor: Actor, log: NewLog, now: Date): Promise<string> {
  const { server_id, name, lifetime } = log;
  await lockChangeableServer(tx, actor, server_id, now, whyNotHave.files);
  const redact = createRedactor({ secrets: log.secrets });
  const text = storedText(log.text, log.secrets);
  if (text.trim() === '') throw new Refused('log_unreadable', { path: name });
  const [count] = await tx<Array<{ shared: number }>>`
    select count(*)::int as shared from shared_logs where server_id = ${server_id} and expires > ${now}`;
  if (count!.shared >= max_shared_logs) throw new Refused('logs_too_many', { most: max_shared_logs });
  const expires = new Date(now.getTime() + logLifetimes[lifetime] * 3_600_000);
  const findings = analyseLogs([{ path: name || null, text }]);
  const id = randomText(log_id_letters);
  const row = { id, server_id, user_id: actor.user_id, name: redact(name), text, created: now, expires };
  const bytes = new TextEncoder().encode(text).length;
  await tx`insert into shared_logs ${tx({ ...row, bytes, findings: tx.json(findings as never) })}`;
  // the address is the key to it: whoever may only see what was done does not get it
  const data = { log_id: id.slice(0, 8), name: row.name, expires: expires.toISOString() };
  await recordEvent(tx, { name: 'server.log_shared', actor_id: actor.user_id, server_id, data });
  return id;
}

/**
 * Removes a shared log at once. Whoever shared it may, and owners of the server. Refuses `log_not_found` otherwise, and as
 * `whyNotHave.files`.
 */
export async function removeSharedLog(
  tx: Db,
  actor: Actor,
  { server_id, log_id }: { server_id: string; log_id: string },
  now: Date,
): Promise<void> {
  const { facts } = await findAuthorizedServer(tx, actor, server_id, now, whyNotHave.files);
  const isOwner = whyNotChange(actor, facts) === null;
  const { count } = await tx`
    delete from shared_logs
    where id = ${log_id} and server_id = ${server_id} and (user_id = ${actor.user_id} or ${isOwner})`;
  if (count === 0) throw new Refused('log_not_found');
  const data = { log_id: log_id.slice(0, 8) };
  await recordEvent(tx, { name: 'server.log_removed', actor_id: actor.user_id, server_id, data });
}

/** Removes shared logs that have ended, at most `limit`. Gives how many. */
export async function purgeSharedLogs(db: Db, now: Date, limit = 200): Promise<number> {
  const { count } = await db`
    delete from shared_logs where id in (select id from shared_logs where expires <= ${now} limit ${limit})`;
  return count;
}
