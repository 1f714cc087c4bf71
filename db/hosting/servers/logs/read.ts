import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Finding } from '../crashes/view.ts';
import { type ServerFacts, whyNotChange } from '../rules.ts';
import { log_id_letters, max_shared_logs } from './rules.ts';
import type { SharedLogView } from './view.ts';

type Row = Omit<SharedLogView, 'path' | 'removable'> & { user_id: string | null };

/** Where the page of a shared log is. */
export const sharedLogPath = (id: string): string => `/logs/${id}`;

/** The shared logs of a server that have not ended, newest first. `facts` are those of the server. */
export async function sharedLogsOf(
  db: Db,
  actor: Actor,
  { server_id, facts }: { server_id: string; facts: ServerFacts },
  now: Date,
): Promise<SharedLogView[]> {
  const found = await db<Row[]>`
    select l.id, l.name, l.bytes, u.username as by, l.user_id, l.created, l.expires
    from shared_logs l left join users u on u.id = l.user_id
    where l.server_id = ${server_id} and l.expires > ${now} order by l.created desc limit ${max_shared_logs}`;
  return found.map(({ user_id, ...row }) => ({
    ...row,
    path: sharedLogPath(row.id),
    removable: user_id === actor.user_id || whyNotChange(actor, facts) === null,
  }));
}

/** What everybody sees who has its address. */
interface PublicLog {
  id: string;
  name: string;
  text: string;
  findings: Finding[];
  created: string;
  expires: string;
}

/** A shared log for anybody. Refuses `log_not_found`, also once it has ended. */
export async function publicLog(db: Db, id: string, now: Date): Promise<PublicLog> {
  const found =
    new RegExp(`^[0-9A-Za-z]{${log_id_letters}}$`).test(id) &&
    (
      await db<PublicLog[]>`
        select id, name, text, findings, created, expires from shared_logs where id = ${id} and expires > ${now}`
    )[0];
  if (!found) throw new Refused('log_not_found');
  return found;
}
