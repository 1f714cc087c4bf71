import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What the schedules of a server say: the panel around them, and why a run or a step failed. */
export const schedulesPrefixes = [
  ...panelPrefixes,
  ...([
    'schedule.',
    'error.schedule',
    'error.time_zone_unknown',
    'error.backup',
    'error.content_',
    'error.change_',
    'error.disk_full',
    'error.operation_failed',
    'error.agent_outdated',
  ] as const),
] as const;
