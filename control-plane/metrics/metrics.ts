import type { Registry } from 'prom-client';
import { countLeases } from '#db/hosting/nodes/read.ts';
import { livePlanes } from '#db/hosting/planes/read.ts';
import { countOpenOperations } from '#db/hosting/servers/operations/operations.ts';
import { gauge, gaugesBy } from '#db/platform/runtime/metrics.ts';
import type { ControlPlane } from '../control-plane.ts';

/** Registers what `/metrics` exposes about hosting in this process. */
export function registerMetrics(
  registry: Registry,
  { context, subscriptions, consoles, figures, links, transfers }: ControlPlane,
): void {
  gauge(registry, 'agents_connected', 'Connected agents', () => context.agents.size);
  const agents = () => [...context.agents.values()];
  gaugesBy(registry, 'agent_event_loop_p99_seconds', 'Delay of the event loop of agents', 'node', () =>
    agents().map(({ node_id, loop_delay }) => [node_id, (loop_delay?.p99_ms ?? 0) / 1000]),
  );
  gaugesBy(registry, 'agent_event_loop_max_seconds', 'Worst delay of the event loop of agents', 'node', () =>
    agents().map(({ node_id, loop_delay }) => [node_id, (loop_delay?.max_ms ?? 0) / 1000]),
  );
  gauge(
    registry,
    'panels_connected',
    'Connections of panels and programs',
    () => subscriptions.connections.size,
  );
  gauge(registry, 'console_viewers', 'Live consoles with viewers', () => consoles.viewers);
  gauge(
    registry,
    'console_lines',
    'Console lines received from agents since the start',
    () => consoles.counts.lines,
  );
  gauge(
    registry,
    'console_held_back',
    'Sends of lines left out for viewers that were too slow, since the start',
    () => consoles.counts.paused,
  );
  gauge(
    registry,
    'transfers_open',
    'Uploads and downloads of files of servers that go on, through this process or at its agents',
    () => transfers.count,
  );
  gauge(registry, 'operations_waiting', 'Operations no agent has ended yet', () =>
    countOpenOperations(context.sql),
  );
  gauge(
    registry,
    'figure_minutes_lost',
    'Minutes of servers that could not be stored, since the start',
    () => figures.counts.lost,
  );
  const { membership, sql, id } = context;
  gauge(registry, 'plane_member', 'Whether this control plane counts as alive: 1 or 0', () =>
    Number(membership.isHeld()),
  );
  gauge(
    registry,
    'planes_alive',
    'Control planes of the installation with a recent heartbeat',
    async () => (await livePlanes(sql)).length,
  );
  gauge(registry, 'plane_links', 'Links to other control planes', () => links.count);
  gauge(registry, 'leases_held', 'Nodes whose lease this control plane holds', () => countLeases(sql, id));
}
