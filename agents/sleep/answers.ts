import { field, packet } from '../game-protocol/packets.ts';

/** What a sleeping server says to clients of the game. */

/** Shown by a ping when the renter wrote no text. Agents know no language: it is English. */
const default_motd = 'This server sleeps. Join to wake it.';

export interface Shown {
  /** Text of the renter, up to two lines; empty for the default. */
  motd: string;
  game_version: string;
  /** Players it takes, as it said when it was awake. */
  most: number;
}

const chat = (text: string): string => JSON.stringify({ text });
const motdOf = ({ motd }: Shown): string => (motd.trim() === '' ? default_motd : motd);

/** The answer to a status request. With the protocol of the client it does not call the server outdated. */
export const statusAnswer = (shown: Shown, protocol: number): Buffer =>
  packet(
    0,
    field.text(
      JSON.stringify({
        version: { name: shown.game_version, protocol },
        players: { max: shown.most, online: 0 },
        description: { text: motdOf(shown) },
      }),
    ),
  );

/** The answer to a ping after the status. */
export const pong = (payload: Buffer): Buffer => packet(1, payload);

/** The answer to a ping of clients from before version 1.7: UTF-16 with its number of characters before it. */
export function legacyAnswer(shown: Shown): Buffer {
  const motd = motdOf(shown).replaceAll('\n', ' ');
  const text = ['§1', '127', shown.game_version, motd, '0', String(shown.most)].join('\0');
  const head = Buffer.alloc(3);
  head[0] = 0xff;
  head.writeUInt16BE(text.length, 1);
  return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()]);
}

/** Ends a login with a text that the player reads. */
const refusal = (text: string): Buffer => packet(0, field.text(chat(text)));

/**
 * Ends a login while the server starts. `start_ms`: how long its last start took, null when that is unknown; `begun_ms`:
 * how long ago it was woken.
 */
export function startingAnswer(start_ms: number | null, begun_ms: number): Buffer {
  const rest_s = ((start_ms ?? 60_000) - begun_ms) / 1000;
  const seconds = Math.max(5, Math.ceil(rest_s / 5) * 5);
  return refusal(`The server is starting. Join again in about ${seconds} seconds.`);
}

/** Ends a login that cannot be handed over although the server is up. */
export const upAnswer = (): Buffer => refusal('The server is up now. Join again.');
