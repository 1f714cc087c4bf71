import { z } from 'zod';

/** Lines of consoles, as agents send them and panels show them. Source: hosting §5.4. */

/** Most bytes of a line. */
export const max_line_bytes = 8_192;

/**
 * One line. `seq` begins at 1 with each epoch; `at` is milliseconds since 1970 by the agent's clock. Streams: output and
 * errors of the process, commands that users typed, and what Cairn itself did (`db/hosting/servers/own-events.ts`).
 */
export const consoleLine = z.object({
  seq: z.int().positive(),
  at: z.number(),
  stream: z.enum(['out', 'err', 'in', 'cairn']),
  text: z.string().max(max_line_bytes * 2),
});
export type ConsoleLine = z.output<typeof consoleLine>;

/** Lines for a console that shows everything up to `from - 1`; `gap` lines before `lines` are lost for good. */
export const consoleUpdate = z.strictObject({
  server_id: z.string(),
  epoch: z.string(),
  from: z.int(),
  gap: z.int().min(0),
  lines: z.array(consoleLine),
});
export type ConsoleUpdate = z.output<typeof consoleUpdate>;

/** Most bytes of a list of commands, and most characters of one's arguments. */
export const max_commands_bytes = 64 * 1024;
export const max_usage_characters = 200;

/** A command that a game server knows, by its own help: `usage` are its arguments as the server writes them. */
export const knownCommand = z.strictObject({
  name: z.string().max(100),
  usage: z.string().max(max_usage_characters),
});
export type KnownCommand = z.output<typeof knownCommand>;

/** Most names of players that are told. */
export const max_named_players = 100;

/** How many players are on a server, and its slots. */
export const playerCount = z.object({
  online: z.int(),
  most: z.int(),
  /** Those that the game names: 12 of more, and none where it hides them. An older agent names nobody. */
  names: z.array(z.string().max(40)).max(max_named_players).optional(),
});
export type PlayerCount = z.output<typeof playerCount>;

/** Figures of a running server. */
export const serverStats = z.object({
  server_id: z.string().regex(/^[0-9A-Za-z]{1,11}$/),
  at: z.number(),
  /** Of one core: 150 is one and a half. */
  cpu_percent: z.number(),
  ram_mb: z.number(),
  ram_limit_mb: z.number(),
  disk_mb: z.number(),
  disk_limit_mb: z.number(),
  rx_bytes: z.number(),
  tx_bytes: z.number(),
  players: playerCount.nullable(),
  /** Milliseconds that it works for each of its ticks; where the server tells it. Older agents leave it out. */
  tick_ms: z.number().min(0).nullable().optional(),
});
export type ServerStats = z.output<typeof serverStats>;
