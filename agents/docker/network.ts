import type { Logger } from 'pino';
import { type DockerConnection, statusOf } from './client.ts';
import { filterTraffic } from './firewall.ts';
import { StepError } from './step-error.ts';

/**
 * The network of all game servers of a Docker engine. Its containers cannot reach each other: renters run any code. One
 * network for all of them, because Docker has addresses for about thirty networks only. `bridge` is its interface on the
 * host, which the rules of the firewall name.
 */
export const server_network = { name: 'cairn-servers', bridge: 'cairn0' } as const;

const options = {
  'com.docker.network.bridge.name': server_network.bridge,
  'com.docker.network.bridge.enable_icc': 'false',
};

async function existingOptions({ api }: DockerConnection): Promise<Record<string, string> | null> {
  try {
    const { Options } = await api.getNetwork(server_network.name).inspect();
    return (Options ?? {}) as Record<string, string>;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

async function createNetwork(connection: DockerConnection): Promise<void> {
  try {
    await connection.api.createNetwork({
      Name: server_network.name,
      Driver: 'bridge',
      EnableIPv6: false,
      CheckDuplicate: true,
      Options: options,
      Labels: { 'cairn.network': 'servers' },
    });
  } catch (error) {
    // another agent of this machine created it meanwhile
    if ((await existingOptions(connection)) === null) throw error;
  }
}

/** Makes sure that the network is there and isolates its containers. Refuses `docker_failed` when one of its name does not. */
async function ensureNetwork(connection: DockerConnection): Promise<void> {
  if ((await existingOptions(connection)) === null) await createNetwork(connection);
  const existing = await existingOptions(connection);
  const differs = Object.entries(options).find(([name, value]) => existing?.[name] !== value);
  if (differs)
    throw new StepError(
      'docker_failed',
      `The Docker network ${server_network.name} lacks ${differs.join('=')}. Remove it: the agent creates it again.`,
    );
}

interface NetworkOptions {
  log: Logger;
  /** Servers start without the rules, too. */
  allow_private: boolean;
  /** Sets the rules; gives why it could not. */
  filter?: typeof filterTraffic;
}

/**
 * Prepares the network before a server starts: the network itself, then the rules that keep servers away from the host, its
 * private networks and mail servers. Without these rules nothing starts (`network_open`), unless the operator allowed it.
 */
export function serverNetwork(
  connection: DockerConnection,
  { log, allow_private, filter = filterTraffic }: NetworkOptions,
) {
  let preparing: Promise<void> | null = null;
  let warned: string | null = null;
  let has_rules: boolean | null = null;
  const prepare = async (): Promise<void> => {
    await ensureNetwork(connection);
    const reason = await filter(server_network.bridge);
    has_rules = reason === null;
    if (reason !== null && reason !== warned)
      log.warn(
        { reason, allowed: allow_private },
        'The firewall rules that keep game servers from private networks could not be set',
      );
    warned = reason;
    if (reason !== null && !allow_private) throw new StepError('network_open', reason);
  };
  return {
    /** Whether the rules are set; null before anything was tried. */
    hasRules: (): boolean | null => has_rules,
    prepare(): Promise<void> {
      preparing ??= prepare().finally(() => {
        preparing = null;
      });
      return preparing;
    },
  };
}
