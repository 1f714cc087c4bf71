import { Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { lockLease } from '../nodes/write.ts';
import { observeFirstStart } from './changes/first-start.ts';
import { purgeChanges } from './changes/purge.ts';
import { copyRemoved } from './copies.ts';
import { replacePort } from './network/main-port.ts';
import { releasePorts } from './network/release.ts';
import { finishOperation, type OperationState } from './operations/operations.ts';
import { canMove, type Lifecycle, type Power } from './rules.ts';
import { purgeTransferAddresses } from './transfer-addresses.ts';
import type { Crash, ServerWarning } from './view.ts';
import { withWarning } from './warnings.ts';

/** A report of an agent, its data parsed by its type; `data` of unknown types is stored without effect. */
export interface Report {
  seq: number;
  server_id: string | null;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

export interface Stored {
  /** Everything in this journal up to here is known. */
  seq: number;
  /** Sequence numbers the agent lost: it never reported them and never will. */
  lost: number;
  /** Servers in the report that are not on its node: nothing was changed. */
  rejected: string[];
}

/**
 * Stores events of an agent and applies them, in the caller's transaction; each counts once, in journal order. An
 * event that arrives after a newer one is stored and changes nothing except the end of its operation. Reports about a
 * server that is not on this node are stored without it and change nothing. Refuses `lease_stale`. Source: hosting
 * §5.3.
 */
export async function storeReports(
  db: Db,
  from: { node_id: string; lease: number; stream_id: string },
  reports: readonly Report[],
  now: Date,
): Promise<Stored> {
  const { node_id, lease, stream_id } = from;
  await lockLease(db, node_id, lease);
  const [known] = await db<{ stream: string | null; seq: number }[]>`
    select event_stream as stream, event_seq as seq from nodes where id = ${node_id}`;
  let last = known?.stream === stream_id ? known.seq : 0;
  const servers = new Set(
    (
      await db<{ id: string }[]>`
        select id from servers where node_id = ${node_id}
          and id = any(${reports.flatMap(({ server_id }) => server_id ?? [])}) order by id for update`
    ).map(({ id }) => id),
  );
  let lost = 0;
  const foreign: string[] = [];
  for (const report of [...reports].sort((a, b) => a.seq - b.seq)) {
    const own = report.server_id === null || servers.has(report.server_id);
    if (!own && report.type === 'server.deleted') await copyRemoved(db, report.server_id!, node_id);
    if (!own) foreign.push(report.server_id!);
    const row = { node_id, stream_id, seq: report.seq, at: report.at, received: now };
    const reported = own
      ? { server_id: report.server_id, type: report.type, data: report.data }
      : { server_id: null, type: 'refused', data: { server_id: report.server_id, type: report.type } };
    const { count } = await db`
      insert into agent_events ${db({ ...row, ...reported, data: db.json(reported.data as never) })} on conflict do nothing`;
    if (count === 0 || !own) continue;
    const outdated = report.seq <= last;
    if (report.type === 'operation.ended') await operationEnded(db, node_id, report, now);
    else if (!outdated && report.server_id) await effects.get(report.type)?.(db, report, node_id);
  }
  for (const { seq } of [...reports].sort((a, b) => a.seq - b.seq)) {
    if (seq <= last) continue;
    lost += seq - last - 1;
    last = seq;
  }
  await db`update nodes set event_stream = ${stream_id}, event_seq = ${last} where id = ${node_id}`;
  return { seq: last, lost, rejected: foreign };
}

type Effect = (db: Db, report: Report, node_id: string) => Promise<void>;

/** Handlers by report type. A map, because the type is any text from an agent, such as `constructor`. */
const effects = new Map<string, Effect>(
  Object.entries({
    'server.power': powerObserved,
    'server.installed': installed,
    'server.resized': resized,
    'server.broken': broken,
    'server.warning': warned,
    'server.deleted': async (db, { server_id }) => {
      await db`delete from servers where id = ${server_id} and lifecycle = 'deprovisioning'`;
    },
  }),
);

interface PowerData {
  power: Power;
  generation: number;
  epoch: string | null;
  started_at: string | null;
  exit_code: number | null;
  out_of_memory: boolean;
  last_lines: string[];
  crash_loop: boolean;
  restart_at: string | null;
  sleeping: boolean;
  woken: boolean;
}

async function powerObserved(db: Db, { server_id, at, data }: Report): Promise<void> {
  const {
    power,
    generation,
    epoch,
    started_at,
    exit_code,
    out_of_memory,
    last_lines,
    crash_loop,
    restart_at,
    sleeping = false,
    woken = false,
  } = data as unknown as PowerData;
  const crash: Crash | null =
    power === 'crashed'
      ? { exit_code, out_of_memory, last_lines, held: crash_loop, restart_at: restart_at ?? null }
      : null;
  // a process started from here on uses the complete desired state
  const begun = power === 'running' || power === 'stopping' ? {} : { restart_due: false };
  const ran = power === 'starting' ? {} : { ran: true };
  await db`
    update servers set power = ${power}, seen_generation = ${generation}, seen_at = ${at},
      seen = seen || ${db.json({ epoch, started_at, crash, sleeping, ...begun, ...ran } as never)} || case
        when ${power === 'stopped' || power === 'crashed'} and power not in ('stopped', 'crashed')
        then jsonb_build_object('ended_at', ${at}::text) else '{}' end
    where id = ${server_id}`;
  if (power !== 'running' && power !== 'stopping') await releasePorts(db, server_id!, generation);
  await observeFirstStart(db, server_id!, power);
  if (sleeping || woken)
    await recordEvent(db, { name: sleeping ? 'server.fell_asleep' : 'server.woken', server_id: server_id! });
  if (crash)
    await recordEvent(db, {
      name: 'server.crashed',
      server_id: server_id!,
      data: { exit_code: exit_code ?? null, out_of_memory: out_of_memory === true },
    });
}

/** Kept with the server, the newest of each code: its panels show it without a search in the journal. */
async function warned(db: Db, { server_id, at, data }: Report): Promise<void> {
  const { code, detail } = data as { code: string; detail?: string };
  const [row] = await db<{ warnings: ServerWarning[] | null }[]>`
    select seen->'warnings' as warnings from servers where id = ${server_id}`;
  const warnings = withWarning(row?.warnings ?? [], { code, detail: detail ?? '', at });
  await db`update servers set seen = seen || ${db.json({ warnings } as never)} where id = ${server_id}`;
}

async function moved(db: Db, server_id: string, to: Lifecycle, lifecycle_data: object): Promise<boolean> {
  const [row] = await db<{ lifecycle: Lifecycle }[]>`select lifecycle from servers where id = ${server_id}`;
  if (!row || !canMove(row.lifecycle, to)) return false;
  await db`
    update servers set lifecycle = ${to}, lifecycle_data = ${db.json(lifecycle_data as never)}
    where id = ${server_id}`;
  return true;
}

/** The server is ready. A suspended server stays suspended, but counts as installed. */
async function installed(db: Db, { server_id, data }: Report): Promise<void> {
  const generation = Number(data.generation) || 0;
  const [row] = await db<{ lifecycle: Lifecycle; is_new: boolean }[]>`
    select lifecycle, not seen ? 'installed' as is_new from servers where id = ${server_id}`;
  await db`
    update servers set seen = seen || ${db.json({ installed: generation })} where id = ${server_id}`;
  if (row?.is_new && row.lifecycle === 'installing')
    await recordEvent(db, { name: 'server.ready', server_id: server_id! });
  if (row?.lifecycle === 'upgrading') await upgraded(db, server_id!, generation);
  else if (row?.lifecycle !== 'suspended') await moved(db, server_id!, 'ready', {});
}

/** The running process has its new size. */
async function resized(db: Db, { server_id, data }: Report): Promise<void> {
  const { generation, at_start } = data as { generation: number; at_start: boolean };
  await db`update servers set seen = seen || ${db.json({ restart_due: at_start })} where id = ${server_id}`;
  await upgraded(db, server_id!, generation);
}

/** An upgrade ends with a report of its generation or a newer one; earlier reports refer to the old size. */
async function upgraded(db: Db, server_id: string, generation: number): Promise<void> {
  await db`
    update servers set lifecycle = 'ready', lifecycle_data = '{}'
    where id = ${server_id} and lifecycle = 'upgrading'
      and ${generation} >= coalesce((lifecycle_data->>'generation')::bigint, 0)`;
}

/**
 * A step failed. A port used by something else on the host is replaced by another, because waiting would not help; any
 * other failure means `broken` until a user starts the server again.
 */
async function broken(db: Db, { server_id, data, at }: Report, node_id: string): Promise<void> {
  const { step, error } = data as { step: string; error: string };
  if (step === 'port_taken' && (await replacePort(db, server_id!, node_id, at))) return;
  const reason = { step, error: error.slice(0, 500) };
  if (await moved(db, server_id!, 'broken', reason))
    await recordEvent(db, { name: 'server.broken', server_id: server_id!, data: reason });
}

async function operationEnded(db: Db, node_id: string, { data }: Report, now: Date): Promise<void> {
  const { op_id, state, result } = data as { op_id: string; state: OperationState; result: object };
  await finishOperation(db, { id: op_id, node_id, state, result }, now);
}

/** The agent saved the desired state: a server that was only scheduled is now being installed. */
export async function markSpecAcknowledged(db: Db, server_id: string): Promise<void> {
  await db`update servers set lifecycle = 'installing' where id = ${server_id} and lifecycle = 'provisioning'`;
}

/** Refuses `server_not_found` unless the server is on this node. */
export async function assertOnNode(db: Db, server_id: string, node_id: string): Promise<void> {
  const [row] = await db`select 1 from servers where id = ${server_id} and node_id = ${node_id}`;
  if (!row) throw new Refused('server_not_found');
}

/** Whether events of an agent are older than the retention. */
const retention_days = '30 days';

/**
 * Removes events older than the retention, operations that ended before it and expired addresses of transfers, and changes of content beyond the newest: up to `limit` rows of each, so that no
 * lock is held long.
 */
export async function purgeHosting(db: Db, now: Date, limit = 2_000): Promise<number> {
  const { count: events } = await db`
    delete from agent_events where ctid in (
      select ctid from agent_events where received < ${now}::timestamptz - ${retention_days}::interval limit ${limit})`;
  const { count: operations } = await db`
    delete from server_operations where id in (
      select id from server_operations where ended < ${now}::timestamptz - ${retention_days}::interval limit ${limit})`;
  const changes = await purgeChanges(db, now, limit);
  return events + operations + changes + (await purgeTransferAddresses(db, now, limit));
}
