import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addressText, controlAddresses } from '#db/platform/runtime/control-address.ts';
import { isOpen, type Settings } from '#db/platform/runtime/env.ts';
import { root } from './install.mjs';
import type { LocalNode } from './local-node.ts';
import { no_secrets } from './process-roles.ts';
import { streaming_args } from './processes.ts';
import type { RunLock } from './run-lock.ts';
import { type Child, supervise } from './supervise.ts';

/** Whether game servers run on this machine, and why not. */
export type Hosting =
  | { on: false; why: 'chosen' | 'no_engine' }
  | { on: true; node: LocalNode; found: number };

/**
 * Whether this machine runs game servers: unless HOSTING=off, if a Docker engine answers. `makeNode` registers it;
 * `found` are running game servers of an earlier run.
 */
export async function detectHosting(
  settings: Settings,
  makeNode: () => Promise<LocalNode>,
): Promise<Hosting> {
  if (settings.HOSTING === 'off') return { on: false, why: 'chosen' };
  const { dockerAnswers } = await import('./docker.ts');
  if (!(await dockerAnswers())) return { on: false, why: 'no_engine' };
  const node = await makeNode();
  return { on: true, node, found: await running(node) };
}

/** Supervises the agent of this machine; in development it may stay down, since the rest works without it. */
export function startAgent(settings: Settings, node: LocalNode, run: RunLock, dev: boolean): Child {
  return supervise({
    name: 'agent',
    args: [
      '--enable-source-maps',
      ...streaming_args,
      '--max-semi-space-size=4',
      join(root, 'agents/main.ts'),
    ],
    env: {
      ...no_secrets,
      NODE_ENV: 'production',
      CAIRN_AGENT_URL: controlAddresses(settings).map(addressText).join(','),
      CAIRN_AGENT_DATA: node.folder,
      CAIRN_AGENT_JOIN: node.join_token ?? undefined,
      CAIRN_AGENT_DISK: settings.AGENT_DISK,
      // nobody else's server runs here
      ...(!isOpen(settings) && { CAIRN_AGENT_ALLOW_PRIVATE: '1' }),
    },
    onStarted: (pid) => run.note('agent', pid),
    givesUp: () => dev,
    onGaveUp: () =>
      console.error(
        'The agent of this machine stays down: game servers here cannot be started or stopped until you restart Cairn.',
      ),
  });
}

/** One line of the startup banner. */
export function hostingLine(hosting: Hosting, settings: Settings): string {
  if (!hosting.on)
    return hosting.why === 'chosen'
      ? 'off (HOSTING=off)'
      : 'off: no Docker engine is running. Install one (Debian: apt-get install docker.io) and start again.';
  const found = hosting.found > 0 ? `; ${servers(hosting.found)} still running from an earlier start` : '';
  // where others come in, nothing starts without the rules
  const firewall = isOpen(settings) ? '' : '; also without a firewall, since only this machine reaches Cairn';
  const why = whyMeasured(settings);
  const disk = why === null ? '' : `; disk limits are only measured: ${why}`;
  return `on, with Docker${found}${firewall}${disk}`;
}

/** Why disks of game servers get no hard limits here, as far as that is known without an attempt; the agent tries. */
function whyMeasured({ AGENT_DISK }: Settings): string | null {
  if (AGENT_DISK === 'measured') return 'AGENT_DISK';
  if (process.getuid?.() !== 0) return 'only root may mount';
  return existsSync('/dev/loop-control') ? null : 'no loop devices';
}

/** A note about game servers that keep running after a stop, or null. */
export async function stillRunning(hosting: Hosting): Promise<string | null> {
  const count = hosting.on ? await running(hosting.node) : 0;
  return count > 0
    ? `${servers(count)} still running: the next start finds ${count === 1 ? 'it' : 'them'}.`
    : null;
}

/** The Docker client is loaded on demand: loading it takes longer than the query. */
const running = async ({ id }: LocalNode): Promise<number> => (await import('./containers.ts')).runningOn(id);

const servers = (count: number): string => (count === 1 ? '1 game server is' : `${count} game servers are`);
