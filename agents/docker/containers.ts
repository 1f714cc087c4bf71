import { createHash } from 'node:crypto';
import { cpus, uptime } from 'node:os';
import type Docker from 'dockerode';
import type { ServerSpec } from '#control/protocol/agent.ts';
import type { Kind } from '../plan/kinds.ts';
import type { ContainerState } from '../plan/plan.ts';
import type { Identity } from '../state/store.ts';
import { type DockerConnection, labels, statusOf } from './client.ts';
import { type Sample, usedRamMb } from './container-stats.ts';
import { server_network } from './network.ts';

/** Creates, finds and inspects containers of servers. Source: hosting §1c. */

const containerName = (server_id: string): string => `cairn-${server_id}`;

/** Filters that match only our own containers. */
export const labelFilters = ({ installation, node_id }: Identity): string[] => [
  `${labels.installation}=${installation}`,
  `${labels.node}=${node_id}`,
];

/** SHA-256 of the options of a container: a change needs a new container. */
const containerHash = (options: Docker.ContainerCreateOptions): string => {
  const { Labels: _, ...made } = options;
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
};

export interface ContainerInput {
  spec: ServerSpec;
  kind: Kind;
  image: string;
  identity: Identity;
  /** User id of the process. */
  uid: number;
  /** The server's folder on this machine. */
  folder: string;
}

const mb = 1024 * 1024;
/** Enough for a game, and below what Docker in a restricted environment may grant. */
const max_open_files = 16_384;

const memoryLimits = ({ ram_mb, swap_mb }: ServerSpec) => ({
  Memory: ram_mb * mb,
  MemorySwap: (ram_mb + swap_mb) * mb,
});
// a node that overcommits may have plans with more cores than it has: Docker refuses such a limit
const cpuLimits = ({ cpu_millis }: ServerSpec, { pids }: Kind) => ({
  NanoCpus: Math.min(cpu_millis, cpus().length * 1000) * 1_000_000,
  PidsLimit: pids,
});
const envOf = (spec: ServerSpec, kind: Kind): string[] =>
  Object.entries(kind.env(spec)).map(([name, value]) => `${name}=${value}`);

/** Ports of the container and where they are reached: that of the game, and extra ones under their own numbers. */
const publishedPorts = ({ port, extra_ports }: ServerSpec, kind: Kind, HostIp: string) => ({
  ...Object.fromEntries(
    extra_ports.flatMap((extra) =>
      ['tcp', 'udp'].map((protocol) => [`${extra}/${protocol}`, [{ HostIp, HostPort: String(extra) }]]),
    ),
  ),
  [`${kind.port}/tcp`]: [{ HostIp, HostPort: String(port) }],
});

/** Options of a server's container: no capabilities, no new privileges, a read-only root. */
export function createOptions(making: ContainerInput): Docker.ContainerCreateOptions {
  const { spec, kind, image, identity, uid, folder } = making;
  const published = publishedPorts(spec, kind, identity.node.bind_address);
  const options: Docker.ContainerCreateOptions = {
    name: containerName(spec.server_id),
    Image: image,
    User: `${uid}:${uid}`,
    Env: envOf(spec, kind),
    Tty: false,
    OpenStdin: true,
    StdinOnce: false,
    AttachStdin: false,
    StopSignal: kind.stop.signal,
    StopTimeout: kind.stop.grace_s,
    ExposedPorts: Object.fromEntries(Object.keys(published).map((inside) => [inside, {}])),
    HostConfig: {
      NetworkMode: server_network.name,
      Binds: [`${folder}:${kind.data_dir}`],
      ...memoryLimits(spec),
      ...cpuLimits(spec, kind),
      Ulimits: [{ Name: 'nofile', Soft: max_open_files, Hard: max_open_files }],
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Tmpfs: kind.tmpfs,
      Init: true,
      // the agent decides what is started again, and when
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'local', Config: { 'max-size': '20m', 'max-file': '3' } },
      PortBindings: published,
    },
  };
  options.Labels = {
    [labels.installation]: identity.installation,
    [labels.node]: identity.node_id,
    [labels.server]: spec.server_id,
    [labels.generation]: String(spec.generation),
    [labels.spec]: containerHash(options),
    [labels.lease]: String(identity.lease),
  };
  return options;
}

/** A container of ours in Docker's list. */
export interface ContainerSummary {
  server_id: string;
  id: string;
  alive: boolean;
}
const aliveStates = ['running', 'paused', 'restarting'];

export async function listOwnContainers(
  { api }: DockerConnection,
  identity: Identity,
): Promise<ContainerSummary[]> {
  const list = await api.listContainers({ all: true, filters: { label: labelFilters(identity) } });
  return list.flatMap(({ Id, State, Labels }) => {
    const server_id = Labels[labels.server];
    return server_id ? [{ server_id, id: Id, alive: aliveStates.includes(State) }] : [];
  });
}

/**
 * Applies the limits of a specification to a running container. `at_start` when part of them waits for the next
 * start: the environment cannot change while it runs, and memory is not reduced below what the process uses (some
 * engines refuse that, others kill the process). Source: hosting §1c.
 */
export async function updateLimits(
  { api }: DockerConnection,
  id: string,
  spec: ServerSpec,
  kind: Kind,
): Promise<'now' | 'at_start'> {
  const container = api.getContainer(id);
  const { HostConfig, Config } = await container.inspect();
  const grows = spec.ram_mb * mb >= (HostConfig.Memory ?? 0);
  const fits = grows || (await usedMb(container)) < spec.ram_mb * max_used_share;
  const limits = { ...(fits ? memoryLimits(spec) : {}), ...cpuLimits(spec, kind) };
  try {
    await container.update(limits);
  } catch (error) {
    const status = statusOf(error);
    if (status === null || status === 404) throw error;
    return 'at_start';
  }
  return fits && envOf(spec, kind).every((line) => Config.Env.includes(line)) ? 'now' : 'at_start';
}

/** Share of its new memory that a process may use when memory is reduced. */
const max_used_share = 0.9;

async function usedMb(container: Docker.Container): Promise<number> {
  const sample = await container.stats({ stream: false, 'one-shot': true });
  return usedRamMb(sample as unknown as Sample);
}

const timeOf = (text: string): number | null => (text.startsWith('0001-') ? null : Date.parse(text));

/** State of a server's container; null when there is none, or when the one of that name is not ours. */
export async function inspectServer(
  connection: DockerConnection,
  identity: Identity,
  server_id: string,
): Promise<ContainerState | null> {
  let found: Docker.ContainerInspectInfo;
  try {
    found = await connection.api.getContainer(containerName(server_id)).inspect();
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
  if (!isOwn(found.Config.Labels, identity)) return null;
  const { Running, Paused, Restarting, ExitCode, OOMKilled } = found.State;
  const [started_at, finished_at] = [timeOf(found.State.StartedAt), timeOf(found.State.FinishedAt)];
  const alive = Running || Paused || Restarting;
  return {
    id: found.Id,
    alive,
    started_at,
    finished_at: alive ? null : finished_at,
    exit_code: ExitCode,
    out_of_memory: OOMKilled,
    ended_by_engine: finished_at !== null && finished_at < bootedAt(),
  };
}

const bootedAt = (): number => Date.now() - uptime() * 1000;

const isOwn = (found: Record<string, string>, { installation, node_id }: Identity): boolean =>
  found[labels.installation] === installation && found[labels.node] === node_id;

/** Removes one of our containers, running or not. A missing one is fine. */
export async function removeContainer({ api }: DockerConnection, id: string): Promise<void> {
  try {
    await api.getContainer(id).remove({ force: true, v: true });
  } catch (error) {
    // 409: a removal is in progress already
    if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error;
  }
}

/** Sends a signal to one of our containers; a stopped one is fine. Gives whether it was running. */
export async function signal({ api }: DockerConnection, id: string, name: string): Promise<boolean> {
  try {
    await api.getContainer(id).kill({ signal: name });
    return true;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 409) return false;
    throw error;
  }
}
