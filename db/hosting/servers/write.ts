import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { kindIds, whyNotOffered } from '../server-kinds/rules.ts';
import { releaseCopies } from './copies.ts';
import { lockChangeableServer } from './locked.ts';
import { serverName } from './name.ts';
import { takePortBack } from './network/main-port.ts';
import { createOperation, isRestoring } from './operations/operations.ts';
import { findAuthorizedServer, type ServerRecord } from './read.ts';
import {
  isBeingSetUp,
  type Lifecycle,
  type PowerAction,
  type Suspension,
  whyNotChangeFiles,
  whyNotHave,
  whyNotOperation,
  whyNotPower,
  whyNotSuspend,
} from './rules.ts';
import { onPowerRequested } from './tasks/power.ts';

/** A kill that could not be executed within this time expires. Source: hosting §5.3. */
const kill_timeout_ms = 60_000;

export interface NewServer {
  id: string;
  order_id: string;
  owner_id: string;
  name: string;
  kind: string;
  region: string;
  plan: string;
  ram_mb: number;
  cpu_millis: number;
  swap_mb: number;
  disk_mb: number;
  game_version: string;
  loader: string | null;
  /** When the user accepted the licence terms of the game. */
  terms_accepted: Date;
  /** Whether it starts by itself once it is installed. */
  starts: boolean;
}

/**
 * Inserts the row of an ordered server, unprovisioned. One that `starts` is wanted on from the beginning: its agent starts
 * it after the installation, whatever restarts in between, and whoever stops it has the last word. Idempotent per order.
 */
export async function createServer(db: Db, { starts, ...server }: NewServer): Promise<void> {
  const data = { kind: server.kind, game_version: server.game_version, loader: server.loader };
  const why = whyNotOffered(server.kind, server.game_version, server.loader);
  assertAllowed(why, { ...data, allowed: kindIds.join(', ') });
  const { count } = await db`
    insert into servers ${db({ ...server, name: serverName(server.name), power_wanted: starts ? 'on' : 'off' })}
    on conflict do nothing`;
  const { id: server_id, owner_id: actor_id, order_id, plan, region } = server;
  if (count > 0)
    await recordEvent(db, { name: 'server.created', actor_id, server_id, data: { order_id, plan, region } });
}

/**
 * Stores a user's power action as desired state. The client generates `op_id`: a repeated one changes nothing. Refuses
 * as `whyNotHave.power` and `whyNotPower` say, and `operation_mismatch`.
 */
export async function setPower(
  db: Db,
  actor: Actor,
  desired: { server_id: string; op_id: string; action: PowerAction },
  now: Date,
): Promise<void> {
  const { server_id, op_id, action } = desired;
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotHave.power);
  const isNew = await createOperation(
    db,
    {
      ...{ id: op_id, server_id, node_id: server.node_id, actor_id: actor.user_id, kind: action },
      state: action === 'kill' ? 'waiting' : 'done',
      not_after: new Date(now.getTime() + kill_timeout_ms),
    },
    now,
  );
  if (!isNew) return;
  await onPowerRequested(db, server_id, action);
  assertAllowed(whyNotPower(server.facts, action), { step: server.view.lifecycle_data.step ?? '' });
  if (action === 'start' || action === 'restart') await takePortBack(db, server_id, now);
  await recordEvent(db, {
    name: 'server.power_requested',
    actor_id: actor.user_id,
    server_id,
    data: { action },
  });
  if (action === 'start') await powerOn(db, server);
  else if (action === 'restart')
    await db`
      update servers set power_wanted = 'on', restart_seq = restart_seq + 1, generation = generation + 1
      where id = ${server_id}`;
  else
    await db`
      update servers set power_wanted = 'off', generation = generation + 1
      where id = ${server_id} and power_wanted = 'on'`;
}

/**
 * Stores an operation on files that a user wants to run on the server's agent now; gives false when the same `op_id` was
 * stored before. Refuses as `whyNotOperation` and `whyNotChangeFiles` say, and `operation_mismatch`.
 */
export async function requestOperation(
  db: Db,
  actor: Actor,
  requested: { server_id: string; op_id: string; kind: string; args: object; not_after: Date },
  now: Date,
): Promise<boolean> {
  const { server_id, op_id, kind, args, not_after } = requested;
  const { node_id, facts } = await findAuthorizedServer(db, actor, server_id, now, whyNotOperation(kind));
  const restoring = await isRestoring(db, server_id);
  assertAllowed(whyNotChangeFiles({ ...facts, restoring }), { by: 'backup_restore' });
  return await createOperation(
    db,
    { id: op_id, server_id, node_id, actor_id: actor.user_id, kind, args: { ...args }, not_after },
    now,
  );
}

/**
 * Desired state on; restarts a process that exited although it should run (a crash, `stop` typed into the console). One
 * that is being set up and wanted on already starts by itself.
 */
async function powerOn(db: Db, { view, node_id, facts }: ServerRecord): Promise<void> {
  const ended = facts.power === 'crashed' || facts.power === 'stopped';
  const restart = view.power_wanted === 'on' && ended && !isBeingSetUp(view.lifecycle) ? 1 : 0;
  if (view.power_wanted === 'on' && !restart && view.lifecycle !== 'broken') return;
  const retry: Lifecycle =
    view.lifecycle !== 'broken' ? view.lifecycle : node_id ? 'provisioning' : 'unprovisioned';
  await db`
    update servers set power_wanted = 'on', restart_seq = restart_seq + ${restart}, generation = generation + 1,
      lifecycle = ${retry},
      lifecycle_data = ${view.lifecycle === 'broken' ? db.json({}) : db`lifecycle_data`}
    where id = ${view.id}`;
}

/** Renames the server. Refuses as `whyNotHave.options` says, and `server_name_length`. */
export async function renameServer(
  db: Db,
  actor: Actor,
  { server_id, name }: { server_id: string; name: string },
  now: Date,
): Promise<void> {
  const { view } = await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const to = serverName(name);
  if (view.name === to) return;
  await db`update servers set name = ${to}, generation = generation + 1 where id = ${server_id}`;
  const data = { from: view.name, to };
  await recordEvent(db, { name: 'server.renamed', actor_id: actor.user_id, server_id, data });
}

interface LockedServer {
  lifecycle: Lifecycle;
  node_id: string | null;
  installed: boolean;
}

async function lockServer(db: Db, id: string): Promise<LockedServer | null> {
  const [row] = await db<LockedServer[]>`
    select lifecycle, node_id, seen ? 'installed' as installed from servers where id = ${id} for update`;
  return row ?? null;
}

/**
 * Stops a server and keeps it stopped until `resume`; its files stay, until the moment `until` where one is given. A suspended server
 * gets the new reason.
 */
export async function suspendServer(
  db: Db,
  server_id: string,
  reason: Suspension,
  actor_id: string | null = null,
  until: string | null = null,
): Promise<void> {
  const row = await lockServer(db, server_id);
  assertAllowed(row ? whyNotSuspend(row) : 'server_not_found');
  await db`
    update servers set lifecycle = 'suspended', lifecycle_data = ${db.json({ reason, ...(until ? { until } : {}) })}, power_wanted = 'off',
      generation = generation + 1
    where id = ${server_id}`;
  await recordEvent(db, { name: 'server.suspended', actor_id, server_id, data: { reason } });
}

/** Ends a suspension: the server is off and can be started. Does nothing if it is not suspended. */
export async function resumeServer(db: Db, server_id: string, actor_id: string | null = null): Promise<void> {
  const row = await lockServer(db, server_id);
  if (!row || row.lifecycle === 'deprovisioning') throw new Refused('server_not_found');
  if (row.lifecycle !== 'suspended') return;
  const to: Lifecycle = row.installed ? 'ready' : row.node_id ? 'provisioning' : 'unprovisioned';
  await db`
    update servers set lifecycle = ${to}, lifecycle_data = '{}', generation = generation + 1
    where id = ${server_id}`;
  await recordEvent(db, { name: 'server.resumed', actor_id, server_id });
}

/**
 * Deletes a server: it is hidden at once; its row is removed when its agent has removed container and folder, or at
 * once if it was never on a node. Idempotent.
 */
export async function deleteServer(db: Db, server_id: string, actor_id: string | null = null): Promise<void> {
  const row = await lockServer(db, server_id);
  if (!row || row.lifecycle === 'deprovisioning') return;
  await recordEvent(db, { name: 'server.deleted', actor_id, server_id });
  if (!row.node_id) {
    await db`delete from servers where id = ${server_id}`;
    return;
  }
  // others may use it from now on
  await db`delete from server_domains where server_id = ${server_id}`;
  // these need no agent, which may be lost; one that is being restored to another server goes with the row
  await db`
    delete from server_backups where server_id = ${server_id} and target = 'platform' and state <> 'restoring'`;
  await releaseCopies(db, server_id);
  await db`
    update servers set lifecycle = 'deprovisioning', lifecycle_data = '{}', power_wanted = 'off',
      generation = generation + 1
    where id = ${server_id}`;
}
