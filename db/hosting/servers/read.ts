import { assertAllowed } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { offlineCutoff } from '../nodes/read.ts';
import type { JavaVersion } from '../server-kinds/java/rules.ts';
import type { ServerMember } from './rights/rules.ts';
import {
  accessOf,
  displayState,
  isStaffOnly,
  type Lifecycle,
  type Power,
  powerActions,
  type ServerFacts,
  scopeFor,
  setupStep,
  whyNotSee,
} from './rules.ts';
import type { Crash, ServerView, ServerWarning, SharedServer } from './view.ts';
import { newestWarnings } from './warnings.ts';

export type { ServerView } from './view.ts';

/** Maximum number of servers in a user's list. */
const max_servers = 200;

/** Last observed state besides `power`. */
interface ObservedState {
  epoch?: string | null;
  started_at?: string | null;
  ended_at?: string | null;
  /** `restart_at` is missing in older ones. */
  crash?: (Omit<Crash, 'restart_at'> & Partial<Crash>) | null;
  /** Generation under which it was first ready: it needs no installation again. */
  installed?: number;
  /** Its first start is over, however it ended. */
  ran?: boolean;
  /** Its size or its content changed while it runs, and part of that applies at its next start. */
  restart_due?: boolean;
  /** It is down because nobody plays, and starts when somebody joins. */
  sleeping?: boolean;
  warnings?: ServerWarning[];
}

interface Row {
  id: string;
  owner_id: string;
  name: string;
  kind: string;
  game_version: string;
  loader: string | null;
  loader_version: string | null;
  plan: string;
  region: string;
  ram_mb: number;
  cpu_millis: number;
  disk_mb: number;
  lifecycle: Lifecycle;
  lifecycle_data: ServerView['lifecycle_data'];
  power_wanted: 'on' | 'off';
  power: Power;
  seen: ObservedState;
  created: string;
  generation: number;
  node_id: string | null;
  port: number | null;
  domain: string | null;
  node: string | null;
  public_address: string | null;
  subdomain: string | null;
  icon: string | null;
  last_seen: string | null;
  away: boolean;
  members: ServerMember[];
  moving: boolean;
}

const rows = (db: Db, now: Date, where: ReturnType<Db>) => db<Row[]>`
  select s.id, s.owner_id, s.name, s.kind, s.game_version, s.loader, s.loader_version, s.plan, s.region, s.ram_mb,
    s.cpu_millis, s.disk_mb, s.lifecycle, s.lifecycle_data, s.power_wanted, s.power, s.seen, s.created, s.generation, s.node_id,
    s.port, n.name as node, n.public_address, n.last_seen,
    (select d.name from server_subdomains d where d.server_id = s.id) as subdomain,
    (select i.hash from server_icons i where i.server_id = s.id) as icon,
    (select domain from server_domains d where d.server_id = s.id and d.state = 'verified') as domain,
    n.id is not null
      and (n.status in ('offline', 'new') or coalesce(n.last_seen < ${offlineCutoff(now)}, true)) as away,
    (select coalesce(json_agg(json_build_object('user_id', m.user_id, 'rights', m.rights)), '[]')
      from server_members m where m.server_id = s.id and m.accepted is not null) as members,
    exists (select 1 from server_tasks v where v.server_id = s.id and v.kind = 'move' and v.ended is null) as moving
  from servers s left join nodes n on n.id = s.node_id
  where ${where} order by s.created desc, s.id limit ${max_servers}`;

const factsOf = ({ owner_id, lifecycle, power, away, members, moving }: Row): ServerFacts => ({
  owner_id,
  members,
  moving,
  lifecycle,
  power: away ? 'unknown' : power,
});

function viewOf(row: Row, now: Date): ServerView {
  const { id, name, kind, game_version, loader, loader_version, plan, region, ram_mb, cpu_millis, disk_mb } =
    row;
  const { lifecycle, lifecycle_data, power_wanted, created, generation, node, last_seen, seen, subdomain } =
    row;
  return {
    ...{ id, name, kind, game_version, loader, loader_version, plan, region, ram_mb, cpu_millis, disk_mb },
    state: displayState(factsOf(row)),
    ...{ lifecycle, lifecycle_data, power_wanted, moving: row.moving },
    setup: setupStep({
      ...{ lifecycle, power_wanted },
      ...{ installed: seen.installed !== undefined, ran: seen.ran ?? false },
    }),
    address: row.port === null ? null : { host: row.public_address!, port: row.port },
    ...{ subdomain, node, domain: row.domain, icon: row.icon },
    epoch: seen.epoch ?? null,
    started_at: seen.started_at ?? null,
    ended_at: ['stopped', 'crashed'].includes(row.power) ? (seen.ended_at ?? null) : null,
    sleeping: row.power === 'stopped' && power_wanted === 'on' && (seen.sleeping ?? false),
    restart_due: seen.restart_due ?? false,
    crash: row.power === 'crashed' && seen.crash ? { restart_at: null, ...seen.crash } : null,
    warnings: newestWarnings(seen.warnings ?? [], now),
    last_seen,
    created,
    generation,
  };
}

/** Fields that the control plane needs besides the server's view. */
export interface ServerRecord {
  view: ServerView;
  facts: ServerFacts;
  node_id: string | null;
}

/** Servers by id, in any order, without unknown ids and servers being deleted. */
export async function serversById(db: Db, ids: readonly string[], now: Date): Promise<ServerRecord[]> {
  const found = await rows(db, now, db`s.id = any(${ids}) and s.lifecycle <> 'deprovisioning'`);
  return found.map((row) => ({ view: viewOf(row, now), facts: factsOf(row), node_id: row.node_id }));
}

/** One server for a user: refuses as `whyNotSee` says; hidden and unknown ones alike with `server_not_found`. */
export async function findAuthorizedServer(
  db: Db,
  actor: Actor | null,
  id: string,
  now: Date,
  rule: typeof whyNotSee = whyNotSee,
): Promise<ServerRecord> {
  const [found] = await serversById(db, [id], now);
  const scope = rule === whyNotSee ? scopeFor.see : scopeFor.change;
  assertAllowed(rule(actor, found?.facts ?? null), { scope });
  return found!;
}

/** A server as visible to `actor`. Refuses like `findAuthorizedServer`. */
export const serverView = async (db: Db, actor: Actor | null, id: string, now: Date): Promise<ServerView> =>
  (await findAuthorizedServer(db, actor, id, now)).view;

/**
 * The servers of a user and those of others that the user may use, newest first, up to 200 of each; `shared` says whose they
 * are. Refuses `authentication_required` and `scope_missing`.
 */
export async function serversFor(
  db: Db,
  actor: Actor | null,
  now: Date,
): Promise<{ servers: ServerView[]; shared: Record<string, SharedServer> }> {
  const own = actor && { owner_id: actor.user_id, lifecycle: 'ready' as const, power: 'stopped' as const };
  assertAllowed(whyNotSee(actor, own), { scope: scopeFor.see });
  const { user_id } = actor!;
  const there = db`s.lifecycle <> 'deprovisioning'`;
  const owned = await rows(db, now, db`${there} and s.owner_id = ${user_id}`);
  const others = await rows(
    db,
    now,
    db`${there} and s.owner_id <> ${user_id} and s.id in
      (select server_id from server_members where user_id = ${user_id} and accepted is not null)`,
  );
  const names = await namesOf(db, [...new Set(others.map(({ owner_id }) => owner_id))]);
  const shared = others.map((row): [string, SharedServer] => {
    const { rights } = accessOf(actor, factsOf(row));
    return [row.id, { owner: names.get(row.owner_id) ?? '', rights }];
  });
  const servers = [...owned, ...others].sort((a, b) => b.created.localeCompare(a.created));
  return { servers: servers.map((row) => viewOf(row, now)), shared: Object.fromEntries(shared) };
}

/** The name of a server's owner for an actor who sees the server as staff only; null for its owner and the people on it. */
export async function ownerForStaff(db: Db, actor: Actor, facts: ServerFacts): Promise<string | null> {
  if (!isStaffOnly(actor, facts)) return null;
  const names = await namesOf(db, [facts.owner_id]);
  return names.get(facts.owner_id) ?? null;
}

async function namesOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db<{ id: string; username: string }[]>`
    select id, username from users where id = any(${ids})`;
  return new Map(found.map(({ id, username }) => [id, username]));
}

/** The desired state of one server for its agent: `ServerSpec` of the control plane. */
export interface DesiredServer {
  server_id: string;
  node_id: string;
  lifecycle: Lifecycle;
  spec: {
    server_id: string;
    generation: number;
    name: string;
    kind: string;
    game_version: string;
    loader: string | null;
    loader_version: string | null;
    java: JavaVersion | null;
    jvm_flags: string[];
    heap_mb: number | null;
    ram_mb: number;
    swap_mb: number;
    cpu_millis: number;
    disk_mb: number;
    port: number;
    extra_ports: number[];
    terms_accepted: boolean;
    power: 'on' | 'off';
    /** Name of the user who asked for its last power action; null when nobody did. */
    power_by: string | null;
    restart_seq: number;
    resize_seq: number;
    suspended: boolean;
    /** It may sleep after so many minutes without a player; null: never. */
    sleep: { after_minutes: number; motd: string } | null;
  };
}

type DesiredServerRow = Omit<DesiredServer['spec'], 'suspended' | 'terms_accepted'> &
  Omit<DesiredServer, 'spec'>;

/** The desired state of all servers of a node; those with the lifecycle `deprovisioning` are to be deleted. */
export const desiredOnNode = (db: Db, node_id: string): Promise<DesiredServer[]> =>
  desiredWhere(db, db`node_id = ${node_id}`, db`c.node_id = ${node_id}`);

/** The desired state of those of these servers that are on a node. */
export const desiredByIds = (db: Db, ids: readonly string[]): Promise<DesiredServer[]> =>
  desiredWhere(db, db`id = any(${ids}) and node_id is not null`, db`c.server_id = any(${ids})`);

/** `copies`: which of the files of servers on other nodes than their own; they are kept and stay off, or are removed. */
async function desiredWhere(db: Db, where: ReturnType<Db>, copies: ReturnType<Db>): Promise<DesiredServer[]> {
  const found = await db<DesiredServerRow[]>`
    select id as server_id, node_id, lifecycle, generation, name, kind, game_version, loader, loader_version, java, jvm_flags,
      heap_mb, ram_mb, swap_mb,
      cpu_millis, disk_mb, port, array(select p.port from server_ports p
        where p.server_id = servers.id and p.name is not null and p.removed_generation is null order by p.port) as extra_ports,
      power_wanted as power, restart_seq, resize_seq,
      case when sleep_after_minutes is not null
        then jsonb_build_object('after_minutes', sleep_after_minutes, 'motd', sleep_motd) end as sleep,
      (select u.username from server_operations o join users u on u.id = o.actor_id
        where o.server_id = servers.id and o.kind = any(${powerActions})
        order by o.created desc limit 1) as power_by
    from servers where ${where}
    union all
    select s.id, c.node_id, case when c.kept then 'suspended' else 'deprovisioning' end, c.generation, name, kind,
      game_version, loader, loader_version, java, jvm_flags, heap_mb, ram_mb, swap_mb, cpu_millis, disk_mb, c.port, '{}'::int[],
      'off', restart_seq, resize_seq, null, null
    from server_copies c join servers s on s.id = c.server_id where ${copies}
    order by server_id`;
  return found.map(({ node_id, lifecycle, ...spec }) => ({
    server_id: spec.server_id,
    node_id,
    lifecycle,
    spec: { ...spec, terms_accepted: true, suspended: lifecycle === 'suspended' },
  }));
}
