import type { Logger } from 'pino';
import { Broken } from '../broken.ts';
import { type Engine, refusedWith } from '../engine.ts';
import { filterTraffic } from './firewall.ts';

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

async function existingOptions({ docker }: Engine): Promise<Record<string, string> | null> {
  try {
    const { Options } = await docker.getNetwork(server_network.name).inspect();
    return (Options ?? {}) as Record<string, string>;
  } catch (error) {
    if (refusedWith(error) === 404) return null;
    throw error;
  }
}

async function createNetwork(engine: Engine): Promise<void> {
  try {
    await engine.docker.createNetwork({
      Name: server_network.name,
      Driver: 'bridge',
      EnableIPv6: false,
      CheckDuplicate: true,
      Options: options,
      Labels: { 'cairn.network': 'servers' },
    });
  } catch (error) {
    // another agent of this machine created it meanwhile
    if ((await existingOptions(engine)) === null) throw error;
  }
}

/** Makes sure that the network is there and isolates its containers. Refuses `docker_failed` when one of its name does not. */
async function ensureNetwork(engine: Engine): Promise<void> {
  if ((await existingOptions(engine)) === null) await createNetwork(engine);
  const existing = await existingOptions(engine);
  const differs = Object.entries(options).find(([name, value]) => existing?.[name] !== value);
  if (differs)
    throw new Broken(
      'docker_failed',
      `The Docker network ${server_network.name} lacks ${differs.join('=')}. Remove it: the agent creates it again.`,
    );
}

/**
 * Prepares the network before a server starts: the network itself, then the rules that keep servers away from the host and
 * its private networks. Where the agent may not set these rules it warns once; the README says how an operator sets them.
 */
export function serverNetwork(engine: Engine, log: Logger) {
  let preparing: Promise<void> | null = null;
  let warned: string | null = null;
  const prepare = async (): Promise<void> => {
    await ensureNetwork(engine);
    const reason = await filterTraffic(server_network.bridge);
    if (reason !== null && reason !== warned)
      log.warn({ reason }, 'Game servers can reach private addresses: the firewall rules could not be set');
    warned = reason;
  };
  return {
    prepare(): Promise<void> {
      preparing ??= prepare().finally(() => {
        preparing = null;
      });
      return preparing;
    },
  };
}
