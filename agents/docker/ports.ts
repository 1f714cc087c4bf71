import { readFile } from 'node:fs/promises';
import type { Identity } from '../state/store.ts';
import { type DockerConnection, labels } from './client.ts';

/** State of a socket that listens, in the kernel's tables. */
const listening = '0A';

/** TCP ports that anything on this machine listens on. A kernel without these tables (not Linux) tells none. */
export async function listeningPorts(): Promise<Set<number>> {
  const ports = new Set<number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const [, local, , state] = line.trim().split(/\s+/);
      if (state === listening && local) ports.add(Number.parseInt(local.split(':')[1] ?? '', 16));
    }
  }
  return ports;
}

/**
 * Ports that something else than our own running containers holds: what listens here, and what other containers publish
 * (an engine without a proxy process publishes without listening).
 */
export async function portsInUse({ api }: DockerConnection, identity: Identity | null): Promise<Set<number>> {
  const [ports, containers] = await Promise.all([listeningPorts(), api.listContainers()]);
  const own: number[] = [];
  for (const { Labels, Ports } of containers) {
    const ours =
      identity &&
      Labels[labels.installation] === identity.installation &&
      Labels[labels.node] === identity.node_id;
    for (const { PublicPort } of Ports) {
      if (!PublicPort) continue;
      if (ours) own.push(PublicPort);
      else ports.add(PublicPort);
    }
  }
  for (const port of own) ports.delete(port);
  return ports;
}
