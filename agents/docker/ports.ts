import { readFile } from 'node:fs/promises';
import type { Identity } from '../state/store.ts';
import { type DockerConnection, labels } from './client.ts';

/** State of a listening socket in the kernel's tables. */
const listening = '0A';

/** TCP ports that any process on this machine listens on. Empty on a kernel without these tables (not Linux). */
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
 * Ports in use by anything but our own running containers and this process, which listens on `listening` in the place of
 * sleeping servers: listening sockets, and ports that other containers publish
 * (Docker without a proxy process publishes without listening).
 */
export async function portsInUse(
  { api }: DockerConnection,
  identity: Identity | null,
  listening: ReadonlySet<number>,
): Promise<Set<number>> {
  const [ports, containers] = await Promise.all([listeningPorts(), api.listContainers()]);
  const own = [...listening];
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
