import type { Registry } from 'prom-client';
import { gauge } from '#db/metrics.ts';
import { countOpenOperations } from '#db/servers/operations.ts';
import type { Hub } from './hub.ts';

/** How hosting is in this process. */
export function hostingGauges(registry: Registry, hub: Hub): void {
  gauge(registry, 'agents_connected', 'Agents that speak for a node here', () => hub.links.size);
  gauge(registry, 'panels_connected', 'Connections of panels and programs', () => hub.panels.viewers.size);
  gauge(registry, 'console_viewers', 'Consoles that are shown to somebody live', () => hub.consoles.viewers);
  gauge(
    registry,
    'console_lines',
    'Console lines taken from agents since the start',
    () => hub.consoles.counts.lines,
  );
  gauge(
    registry,
    'console_held_back',
    'Sends of lines held back from viewers that were too slow, since the start',
    () => hub.consoles.counts.held,
  );
  gauge(registry, 'operations_waiting', 'Operations no agent has ended yet', () =>
    countOpenOperations(hub.record.sql),
  );
}
