import type { Db } from '../../../platform/postgres/sql.ts';
import { offlineCutoff } from '../../nodes/read.ts';
import type { MoveStep } from '../moves/rules.ts';
import { serversById } from '../read.ts';
import { addressIn, max_counted, type SearchedState } from './rules.ts';
import type { FoundServers, StaffServer } from './view.ts';

/** Servers of everybody, for staff: the caller checks that they are administrators. */

interface ServerSearch {
  /** Part of a name, of the name of an owner or of an address, or a whole ID; empty for all. */
  query: string;
  state?: SearchedState | undefined;
  node_id?: string | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  limit: number;
}

/** The condition of a state, on a server `s` with its node `n`; what is not known while a node is away is `unreachable`. */
function inState(db: Db, state: SearchedState, now: Date) {
  const away = db`(n.id is not null and (n.status in ('offline', 'new')
    or coalesce(n.last_seen < ${offlineCutoff(now)}, true)))`;
  const made = (powers: string[]) => db`(s.lifecycle = 'ready' and s.power = any(${powers}) and not ${away})`;
  switch (state) {
    case 'running':
      return made(['running', 'starting']);
    case 'stopped':
      return made(['stopped', 'stopping']);
    case 'crashed':
      return made(['crashed']);
    case 'unreachable':
      return db`(s.lifecycle = 'ready' and ${away})`;
    case 'setting_up':
      return db`s.lifecycle in ('unprovisioned', 'provisioning', 'installing')`;
    case 'resizing':
      return db`s.lifecycle = 'upgrading'`;
    case 'moving':
      return db`exists (select 1 from server_tasks m where m.server_id = s.id and m.kind = 'move' and m.ended is null)`;
    case 'unpaid':
      return db`exists (select 1 from subscriptions p where p.server_id = s.id and p.state = 'failed')`;
    default:
      return db`s.lifecycle = ${state}`;
  }
}

/** Whether `text` is in a name or an address of the server `s` with its node `n` and owner `u`, or is an ID. */
function matches(db: Db, text: string, domain: string | null) {
  if (text === '') return db`true`;
  const low = text.toLowerCase();
  const { host, port } = addressIn(low);
  return db`(s.id = ${text} or s.owner_id = ${text} or strpos(lower(s.name), ${low}) > 0
    or strpos(lower(u.username::text), ${low}) > 0
    or (strpos(lower(n.public_address), ${host}) > 0 and (${port}::int is null or s.port = ${port}))
    or exists (select 1 from server_subdomains d where d.server_id = s.id
      and strpos(d.name || ${domain === null ? '' : `.${domain}`}, ${low}) > 0)
    or exists (select 1 from server_domains d where d.server_id = s.id and strpos(d.domain, ${low}) > 0))`;
}

/** A place in the list: when a server was made, in microseconds since 1970, and its ID. */
function afterPlace(db: Db, place: string | undefined) {
  const [, micros = '', id = ''] = /^(\d{1,17})\.([0-9A-Za-z]{1,11})$/.exec(place ?? '') ?? [];
  if (id === '') return db`true`;
  const at = db`(timestamptz 'epoch' + ${Number(micros)}::float8 * interval '1 microsecond')`;
  return db`(s.created < ${at} or (s.created = ${at} and s.id > ${id}))`;
}

/**
 * Finds servers, newest first, a page of `limit` at once; an unknown place begins at the start. `domain` is that of the names
 * of servers. Servers that are being deleted are left out.
 */
export async function findServers(
  db: Db,
  { query, state, node_id, after, limit }: ServerSearch,
  { now, domain }: { now: Date; domain: string | null },
): Promise<FoundServers> {
  const wanted = db`
    from servers s join users u on u.id = s.owner_id left join nodes n on n.id = s.node_id
    where s.lifecycle <> 'deprovisioning' and ${node_id === undefined ? db`true` : db`s.node_id = ${node_id}`}
      and ${state === undefined ? db`true` : inState(db, state, now)}
      and ${matches(db, query.trim(), domain)}`;
  const rows = await db<{ id: string; place: string }[]>`
    select s.id, (extract(epoch from s.created) * 1000000)::bigint || '.' || s.id as place ${wanted}
      and ${afterPlace(db, after)} order by s.created desc, s.id limit ${limit + 1}`;
  const [{ count } = { count: 0 }] = await db<{ count: number }[]>`
    select count(*)::int as count from (select 1 ${wanted} limit ${max_counted}) found`;
  const page = rows.slice(0, limit);
  const servers = await staffServers(
    db,
    page.map(({ id }) => id),
    now,
  );
  return { servers, count, next: rows.length > limit ? page.at(-1)!.place : null };
}

/** These servers as staff see them, in this order, without those that are gone. */
export async function staffServers(db: Db, ids: readonly string[], now: Date): Promise<StaffServer[]> {
  if (ids.length === 0) return [];
  const more = await db<
    { id: string; owner_id: string; username: string; backups: number; move_step: MoveStep | null }[]
  >`
    select s.id, s.owner_id, u.username,
      (select count(*)::int from server_backups b where b.server_id = s.id and b.target = 'node'
        and b.state in ('done', 'unchanged', 'damaged')) as backups,
      (select step from server_tasks m where m.server_id = s.id and m.kind = 'move' and m.ended is null) as move_step
    from servers s join users u on u.id = s.owner_id where s.id = any(${ids})`;
  const moreOf = new Map(more.map((one) => [one.id, one]));
  const found = new Map((await serversById(db, ids, now)).map((record) => [record.view.id, record]));
  return ids.flatMap((id) => {
    const [record, rest] = [found.get(id), moreOf.get(id)];
    if (!record || !rest) return [];
    const owner = { id: rest.owner_id, username: rest.username };
    const { view: server, node_id } = record;
    return [{ server, owner, node_id, backups_on_node: rest.backups, move_step: rest.move_step }];
  });
}
