import { cpus, freemem, loadavg, totalmem } from 'node:os';
import type { Heartbeat } from '#control/protocol/heartbeat.ts';
import { kindIds } from '#db/hosting/server-kinds/rules.ts';
import type { AgentContext } from '../context.ts';
import { diskOf } from '../disk/folders.ts';
import { roomOf } from '../disk/reserve.ts';
import { portsInUse } from '../docker/ports.ts';

/** Version of the agent: rises when its behaviour changes. */
export const agentVersion = '2.0.0';

/** The heartbeat of this node: resources, kinds, state of Docker and ports in use. */
export async function buildHeartbeat(context: AgentContext, lease: number): Promise<Heartbeat> {
  const { docker } = context;
  const identity = context.identity();
  const disk = await diskOf(context.data);
  const ports = docker.up()
    ? await portsInUse(docker, identity, { listening: context.sleepers.ports() }).catch(() => null)
    : null;
  // a mode that was not probed is not promised
  const disk_mode = ports ? await context.disks.mode().catch(() => 'measured') : 'measured';
  const { port_from, port_to } = identity.node;
  const transfer_url = context.transferUrl();
  const firewall = context.hasFirewall();
  const kinds = kindIds.filter((kind) => context.kindOf({ kind }) !== null);
  return {
    lease,
    event_loop: await context.takeLoopDelay(),
    docker: ports ? 'up' : 'down',
    facts: {
      agent_version: agentVersion,
      docker: docker.version(),
      disk_mode,
      ...(await diskLimits(context)),
      disk_room: roomOf(disk),
      kinds: [...kinds],
      cpu_millis: cpus().length * 1000,
      ram_mb: Math.floor(totalmem() / 1024 / 1024),
      disk_mb: disk.all_mb,
      disk_free_mb: disk.free_mb,
      ram_free_mb: Math.floor(freemem() / 1024 / 1024),
      load: loadavg()[0] ?? 0,
      can_sleep: true,
      ...(firewall === null ? {} : { firewall }),
      ...context.backups.places(),
      ...(transfer_url ? { transfer_url } : {}),
    },
    ports_used: [...(ports ?? [])].filter((port) => port >= port_from && port <= port_to).slice(0, 4000),
  };
}

/** What staff read about the limits of disks: why new ones have no hard limit, and how many servers have none. */
async function diskLimits({ disks }: AgentContext) {
  const why = disks.whyMeasured();
  return {
    disk_measured: await disks.countMeasured(),
    ...(why === null ? {} : { disk_why: why.slice(0, 200) }),
  };
}
