import { z } from 'zod';

/** Lines of consoles, as agents send them and panels show them. Source: hosting §5.4. */

/** Most bytes of a line. */
export const max_line_bytes = 8_192;

/** One line. `seq` begins at 1 with each epoch; `at` is milliseconds since 1970 by the agent's clock. */
export const consoleLine = z.object({
  seq: z.int().positive(),
  at: z.number(),
  stream: z.enum(['out', 'err', 'in']),
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
  players: z.object({ online: z.int(), most: z.int() }).nullable(),
});
export type ServerStats = z.output<typeof serverStats>;
