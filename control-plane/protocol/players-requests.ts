import { z } from 'zod';
import { max_reason_characters, playersActions } from '#db/hosting/servers/players/rules.ts';
import { playersView } from '#db/hosting/servers/players/view.ts';
import type { RequestMap } from './ack.ts';
import { max_named_players } from './console.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
/** Finds names, addresses and reasons in the lists. */
const query = z.string().max(100).default('');

/** Requests of panels about who is on a server and who may play. */
export const playersRequests = {
  /** Everybody on the server may see who is online. */
  'players.online': {
    input: z.object({ server_id: id }),
    output: z.strictObject({
      /** null while it does not run, and before it was counted. */
      online: z.int().nullable(),
      most: z.int().nullable(),
      /** Those that the game names: perhaps fewer than are online. */
      names: z.array(z.string()).max(max_named_players),
    }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'players.show': {
    input: z.object({ server_id: id, query }),
    output: z.strictObject({ players: playersView }),
    limit: 'calls',
    answered_by: 'agent',
  },
  /**
   * By a console command while the game runs, by its files while it is off. `answer` is what the game said. Refuses
   * `players_game_refused` with what it said, and `players_no_answer`.
   */
  'players.change': {
    input: z.object({
      server_id: id,
      action: z.enum(playersActions),
      /** A name or an address; `''` for switches. */
      who: z.string().max(64).default(''),
      reason: z
        .string()
        .max(max_reason_characters * 2)
        .default(''),
      /** Of an operator; null is what the game gives. */
      level: z.int().nullable().default(null),
      query,
    }),
    output: z.strictObject({ players: playersView, answer: z.string().nullable() }),
    limit: 'calls',
    answered_by: 'agent',
  },
} as const satisfies RequestMap<never>;
