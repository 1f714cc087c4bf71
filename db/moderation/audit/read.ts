import type { EventName } from '../../platform/events/catalogue.ts';
import type { Subject } from '../../platform/events/define.ts';
import type { Db } from '../../platform/postgres/sql.ts';

export interface AuditEntry {
  event_id: number;
  at: Date;
  name: EventName;
  /** The actor; null for the system, an agent or a command. */
  actor_id: string | null;
  /** The actor's current name, or null. */
  actor: string | null;
  subject_type: Subject;
  subject_id: string | null;
  data: Record<string, unknown>;
}

export interface AuditFilter {
  actor_id?: string | undefined;
  subject_type?: string | undefined;
  subject_id?: string | undefined;
  /** What it is about is one of these. */
  subject_ids?: readonly string[] | undefined;
  since?: Date | undefined;
  /** What happened is one of these. */
  names?: readonly string[] | undefined;
  /** Only entries older than this one, by its event id. */
  before?: number | undefined;
  limit: number;
}

/** Audit log entries that match every given filter, newest first, at most `limit`. */
export async function auditEntries(db: Db, filter: AuditFilter): Promise<AuditEntry[]> {
  const { actor_id, subject_type, subject_id, subject_ids, since, names, before, limit } = filter;
  return await db<AuditEntry[]>`
    select a.event_id, a.at, a.name, a.actor_id, u.username as actor, a.subject_type, a.subject_id, a.data
    from audit_log a left join users u on u.id = a.actor_id
    where true
      ${actor_id !== undefined ? db`and a.actor_id = ${actor_id}` : db``}
      ${subject_type ? db`and a.subject_type = ${subject_type}` : db``}
      ${subject_id ? db`and a.subject_id = ${subject_id}` : db``}
      ${subject_ids ? db`and a.subject_id = any(${subject_ids as string[]}::text[])` : db``}
      ${names ? db`and a.name = any(${names as string[]}::text[])` : db``}
      ${before !== undefined ? db`and a.event_id < ${before}` : db``}
      ${since ? db`and a.at >= ${since}` : db``}
    order by a.event_id desc
    limit ${limit}`;
}
