/**
 * What Cairn itself did to a server, as lines of its console (stream `cairn`): the first word of their text. What may
 * follow is the name of the user who asked for it, the number of crashes before a restart, or a port.
 */
const ownEvents = [
  'start_requested',
  'stop_requested',
  'restart_requested',
  'kill_requested',
  'crash_restart',
  'fell_asleep',
  'woken',
  'stopped_disk_full',
  'stopped_suspended',
  'port_taken',
] as const;
export type OwnEvent = (typeof ownEvents)[number];

/** The text of a line about what Cairn itself did. */
export const ownText = (event: OwnEvent, detail: string | number | null = null): string =>
  detail === null ? event : `${event} ${detail}`;

/** The event and detail of such a text, or null when this code does not know the event. */
export function parseOwnText(text: string): { event: OwnEvent; detail: string | null } | null {
  const [name, detail] = text.split(' ', 2);
  const event = ownEvents.find((one) => one === name);
  return event ? { event, detail: detail || null } : null;
}
