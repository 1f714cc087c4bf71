import { operationById } from '#db/hosting/servers/operations/operations.ts';
import { desiredByIds, serversById } from '#db/hosting/servers/read.ts';
import type { Subscribers } from '../admin/subscribers.ts';
import { checkLease, rotateSecret, syncAgent } from '../agents/sync.ts';
import type { Consoles } from '../console/consoles.ts';
import type { PlaneContext } from '../context.ts';
import type { PanelSubscriptions } from '../panel/subscriptions.ts';
import { createBatcher } from '../sockets/batcher.ts';
import { syncTasks } from '../tasks/sync-tasks.ts';
import type { Transfers } from '../transfers/transfers.ts';

/** The lists of a panel that show tasks of its server. */
const panelLists = ['backups', 'changes', 'schedules'] as const;

/** Whom a change is sent to. */
interface Parts {
  subscriptions: PanelSubscriptions;
  consoles: Consoles;
  admin: Subscribers;
  transfers: Transfers;
}

export interface ChangeHandler {
  /**
   * Something changed: `server:ID`, `node:ID`, `op:ID`, `tasks:SERVER_ID:LIST` with one of `panelLists` or `moves`, `notices`,
   * `rights`.
   */
  onChange(what: string): void;
  /** Changes may have been missed: everything is read again. */
  resync(): void;
  /** Resolves when every change so far is handled. */
  idle(): Promise<void>;
  stop(): void;
}

/**
 * Handles changes in the database: agents here get the desired state, panels here the observed state. Everything is read
 * again, so a change that is handled twice, or late, does no harm.
 */
export function createChangeHandler(context: PlaneContext, parts: Parts): ChangeHandler {
  const failed = (err: unknown) => context.log.warn({ err }, 'Changes could not be handled, will retry');
  const { subscriptions, admin } = parts;
  const timers = new Map<string, NodeJS.Timeout>();
  const later = (id: string, ms: number) => {
    clearTimeout(timers.get(id));
    const timer = setTimeout(() => {
      timers.delete(id);
      batchers.tasks.add(`${id}:schedules`);
    }, ms);
    timers.set(id, timer.unref());
  };
  const batchers = {
    server: createBatcher((ids) => syncServers(context, parts, ids), failed),
    op: createBatcher((ids) => syncOperations(context, parts, ids), failed),
    tasks: createBatcher((notices) => syncTasks(context, { ...parts, later }, notices), failed),
    node: createBatcher((ids) => syncNodes(context, parts, ids), failed),
    rights: createBatcher(() => revalidateAccess(parts), failed),
    notices: createBatcher(() => subscriptions.broadcastNotices(), failed),
    everything: createBatcher(async () => {
      await syncAgents(context);
      context.remoteAgents.followAll();
      await revalidateAccess(parts);
      await subscriptions.refreshServers(subscriptions.joinedServers());
      await subscriptions.broadcastNotices();
      for (const id of subscriptions.joinedServers())
        for (const list of panelLists) batchers.tasks.add(`${id}:${list}`);
      admin.notifyAll();
    }, failed),
  };
  const all = Object.values(batchers);
  return {
    onChange(what) {
      context.changes.emit('change', what);
      const [kind = ''] = what.split(':', 1);
      const id = what.slice(kind.length + 1);
      if (kind !== 'everything' && Object.hasOwn(batchers, kind))
        batchers[kind as keyof typeof batchers].add(id);
    },
    resync() {
      context.changes.emit('change', 'everything');
      batchers.everything.add('');
    },
    async idle() {
      for (const batcher of all) await batcher.idle();
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const batcher of all) batcher.stop();
    },
  };
}

async function syncServers(
  { sql, now, agents }: PlaneContext,
  { subscriptions, transfers, admin }: Parts,
  ids: string[],
): Promise<void> {
  admin.notifyServers(ids);
  const desired = await desiredByIds(sql, ids);
  const places = new Set(desired.map(({ server_id, node_id }) => `${server_id} ${node_id}`));
  for (const one of desired) void agents.get(one.node_id)?.pushSpec(one);
  // it may come back to a node that it left
  for (const agent of agents.values())
    for (const id of ids) if (!places.has(`${id} ${agent.node_id}`)) agent.forget(id);
  const joined = ids.filter((id) => subscriptions.isJoined(id));
  if (joined.length > 0) subscriptions.broadcastServers(joined, await serversById(sql, joined, now()));
  await transfers.revalidateAccess(ids);
}

async function syncOperations(
  { sql, agents, operationEnded }: PlaneContext,
  { subscriptions }: Parts,
  ids: string[],
): Promise<void> {
  for (const id of ids) {
    const operation = await operationById(sql, id);
    if (!operation) continue;
    const { state, node_id } = operation;
    if (state !== 'waiting' && state !== 'accepted') operationEnded.emit(id);
    subscriptions.broadcastOperation(operation);
    if (state === 'waiting' && node_id) void agents.get(node_id)?.sendOperation(operation);
  }
}

async function syncNodes(
  context: PlaneContext,
  { subscriptions, admin }: Parts,
  ids: string[],
): Promise<void> {
  for (const id of ids) {
    const agent = context.agents.get(id);
    if (agent) {
      await checkLease(context, agent);
      void rotateSecret(context, agent); // its answer may take long
    }
    context.remoteAgents.follow(id);
    context.nodeChanged.emit(id);
  }
  admin.notifyNodes();
  // the state of a server depends on its node: `unknown` while that is offline
  await subscriptions.refreshServers(subscriptions.joinedOn(ids));
}

async function syncAgents(context: PlaneContext): Promise<void> {
  for (const agent of context.agents.values()) {
    await checkLease(context, agent);
    if (agent.socket.connected && agent.reconciled) await syncAgent(context, agent);
  }
}

async function revalidateAccess({ subscriptions, admin, transfers }: Parts): Promise<void> {
  await subscriptions.revalidateAccess();
  await admin.revalidateAccess();
  await transfers.revalidateAccess();
}
