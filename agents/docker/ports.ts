import { readFile } from 'node:fs/promises';
import type { Identity } from '../state/store.ts';
import { type DockerConnection, labels } from './client.ts';

/** The kernel's tables of sockets, and the state of one that others may send to: listening, and without a peer. */
const tables = { tcp: '0A', tcp6: '0A', udp: '07', udp6: '07' };

/** TCP and UDP ports that any process on this machine listens on. Empty on a kernel without these tables (not Linux). */
export async function listeningPorts(): Promise<Set<number>> {
  const ports = new Set<number>();
  for (const [table, listening] of Object.entries(tables)) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const [, local, , state] = line.trim().split(/\s+/);
      if (state === listening && local) ports.add(Number.parseInt(local.split(':')[1] ?? '', 16));
    }
  }
  return ports;
}

/**
 * Ports in use by anything but our own running containers (or but that of `server_id`), and but this process, which listens
 * on `listening` in the place of sleeping servers: listening sockets, and ports that other containers publish (Docker without a
 * proxy process publishes without listening).
 */
export async function portsInUse(
  { api }: DockerConnection,
  identity: Identity | null,
  { server_id, listening }: { server_id?: string; listening: ReadonlySet<number> },
): Promise<Set<number>> {
  const [ports, containers] = await Promise.all([listeningPorts(), api.listContainers()]);
  const own = [...listening];
  for (const { Labels, Ports } of containers) {
    const ours =
      identity &&
      Labels[labels.installation] === identity.installation &&
      Labels[labels.node] === identity.node_id &&
      (server_id === undefined || Labels[labels.server] === server_id);
    for (const { PublicPort } of Ports) {
      if (!PublicPort) continue;
      if (ours) own.push(PublicPort);
      else ports.add(PublicPort);
    }
  }
  for (const port of own) ports.delete(port);
  return ports;
}
