import { createHash } from 'node:crypto';
import { cpus, uptime } from 'node:os';
import type Docker from 'dockerode';
import type { ServerSpec } from '#control/protocol/agent.ts';
import type { Kind } from '../server/kinds.ts';
import type { ContainerState } from '../server/plan.ts';
import type { Identity } from '../state/store.ts';
import { type DockerConnection, labels, statusOf } from './client.ts';
import { type Sample, usedRamMb } from './container-stats.ts';
import { server_network } from './network.ts';

/** How a server's container is made, found and read. Source: hosting §1c. */

export const containerName = (server_id: string): string => `cairn-${server_id}`;

/** Filters that only our own containers pass. */
export const labelFilters = ({ installation, node_id }: Identity): string[] => [
  `${labels.installation}=${installation}`,
  `${labels.node}=${node_id}`,
];

/** SHA-256 of what a container is made from: another one is needed when it changes. */
const containerHash = (options: Docker.ContainerCreateOptions): string => {
  const { Labels: _, ...made } = options;
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
};

export interface ContainerInput {
  spec: ServerSpec;
  kind: Kind;
  image: string;
  identity: Identity;
  /** Of the process; null keeps the uid of this agent, which may not give folders away. */
  uid: number;
  /** The server's folder on this machine. */
  folder: string;
}

const mb = 1024 * 1024;
/** Plenty for a game, and below what an engine in a confined machine may give away. */
const max_open_files = 16_384;

const memoryLimits = ({ ram_mb, swap_mb }: ServerSpec) => ({
  Memory: ram_mb * mb,
  MemorySwap: (ram_mb + swap_mb) * mb,
});
// a node that promises more than it has (OVERCOMMIT) may carry plans of more cores: the engine refuses to limit to those
const cpuLimits = ({ cpu_millis }: ServerSpec, { pids }: Kind) => ({
  NanoCpus: Math.min(cpu_millis, cpus().length * 1000) * 1_000_000,
  PidsLimit: pids,
});
const envOf = (spec: ServerSpec, kind: Kind): string[] =>
  Object.entries(kind.env(spec)).map(([name, value]) => `${name}=${value}`);

/** Everything a container may and may not do: no capabilities, no new privileges, a root that cannot be written to. */
export function createOptions(making: ContainerInput): Docker.ContainerCreateOptions {
  const { spec, kind, image, identity, uid, folder } = making;
  const inside = `${kind.port}/tcp`;
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
    ExposedPorts: { [inside]: {} },
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
      PortBindings: { [inside]: [{ HostIp: identity.node.bind_address, HostPort: String(spec.port) }] },
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

/** What the engine lists of our containers: server -> its container. */
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
 * Gives what runs the limits of its specification, without a restart. `at_start` when something of them waits for the next
 * one: what its environment says cannot change under way, and memory is not taken from below a process that uses it (some
 * engines refuse that, others end the process). Source: hosting §1c.
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

/** Of the memory it may have, what a process may use of it when it is made smaller. */
const max_used_share = 0.9;

async function usedMb(container: Docker.Container): Promise<number> {
  const sample = await container.stats({ stream: false, 'one-shot': true });
  return usedRamMb(sample as unknown as Sample);
}

const timeOf = (text: string): number | null => (text.startsWith('0001-') ? null : Date.parse(text));

/** Looks at the server's container; null when there is none, or when one of that name is not ours. */
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

/** Removes a container of ours, running or not. One that is gone already is fine. */
export async function removeContainer({ api }: DockerConnection, id: string): Promise<void> {
  try {
    await api.getContainer(id).remove({ force: true, v: true });
  } catch (error) {
    // 409: somebody removes it already
    if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error;
  }
}

/** Sends `signal` to a container of ours; one that does not run is fine. Gives whether it ran. */
export async function signal({ api }: DockerConnection, id: string, name: string): Promise<boolean> {
  try {
    await api.getContainer(id).kill({ signal: name });
    return true;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 409) return false;
    throw error;
  }
}
