import type { AgentEvent } from '#control/protocol/agent.ts';

/** Bytes of `value` in a message: as JSON, where a control character takes six bytes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * The newest of `lines` that take at most `max_bytes` as JSON, oldest first. When the newest is too long alone, its
 * beginning.
 */
export function newestLines(lines: readonly string[], max_bytes: number): string[] {
  let bytes = 0;
  const tooOld = lines.findLastIndex((line) => {
    bytes += jsonBytes(line) + 1;
    return bytes > max_bytes;
  });
  const fitting = lines.slice(tooOld + 1);
  const newest = lines.at(-1);
  if (fitting.length > 0 || newest === undefined) return fitting;
  // no character takes more than six bytes
  return [newest.slice(0, Math.floor(max_bytes / 6)).toWellFormed()];
}

/** Maximum characters of each text, tried in turn until the event fits. */
const text_lengths = [4_096, 512, 64];
const max_array = 50;

/**
 * Cuts the data of `event` until it takes at most `max_bytes` as JSON and marks it with `shortened`. An event that
 * fits is returned unchanged. The control plane closes the connection on a larger message, and it would be sent again
 * for ever.
 */
export function withinBytes(event: AgentEvent, max_bytes: number): AgentEvent {
  if (jsonBytes(event) <= max_bytes) return event;
  for (const characters of text_lengths) {
    const cut: AgentEvent = { ...event, data: { ...cutTexts(event.data, characters), shortened: true } };
    if (jsonBytes(cut) <= max_bytes) return cut;
  }
  const data = Object.fromEntries(Object.entries(event.data).map(([name, value]) => [name, emptied(value)]));
  return { ...event, data: { ...data, shortened: true } };
}

const cutTexts = (data: Record<string, unknown>, characters: number): Record<string, unknown> =>
  JSON.parse(JSON.stringify(data), (_, value) => {
    if (typeof value === 'string') return value.slice(0, characters).toWellFormed();
    return Array.isArray(value) ? value.slice(-max_array) : value;
  });

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, 64).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

/** As many of `events` as one message carries, in order; at least one, cut when it is too large alone. */
export function eventsWithin(events: readonly AgentEvent[], max_bytes: number): AgentEvent[] {
  const batch: AgentEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const fitting = withinBytes(event, max_bytes);
    bytes += jsonBytes(fitting);
    if (bytes > max_bytes && batch.length > 0) break;
    batch.push(fitting);
  }
  return batch;
}
