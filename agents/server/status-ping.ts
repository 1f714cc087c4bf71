import { connect } from 'node:net';
import { max_named_players } from '#control/protocol/console.ts';
import { isPlayerName } from '#db/servers/players/rules.ts';

/** The status ping of the game's protocol, which fills a player's server list. Source: Server List Ping. */

export interface Status {
  online: number;
  most: number;
  /** Players that the answer names. Plugins put lines of text there: what is no name is left out. */
  names: string[];
}

const max_answer_bytes = 256 * 1024;

function number(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.from(bytes);
}

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
};

const packet = (id: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat([number(id), ...parts]);
  return Buffer.concat([number(body.length), body]);
};

/** A number at `at` and where it ends, or null while it is incomplete. Throws when it is too long. */
function readNumber(bytes: Buffer, at: number): [value: number, end: number] | null {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return [value >>> 0, at + index + 1];
  }
  throw new Error('not a number of the game protocol');
}

/** Text of the answer, or null while it is incomplete. */
function answerOf(bytes: Buffer): string | null {
  const length = readNumber(bytes, 0);
  if (!length || bytes.length < length[1] + length[0]) return null;
  const id = readNumber(bytes, length[1]);
  const size = id && readNumber(bytes, id[1]);
  if (!size || id[0] !== 0) throw new Error('not an answer to a status ping');
  return bytes.toString('utf8', size[1], size[1] + size[0]);
}

function statusOf(answer: unknown): Status | null {
  const { players } = answer as { players?: { online?: unknown; max?: unknown; sample?: unknown } };
  const { online, max: most, sample } = players ?? {};
  if (!Number.isInteger(online) || !Number.isInteger(most)) return null;
  const named = Array.isArray(sample) ? sample.slice(0, max_named_players) : [];
  const names = named.map((one) => (one as { name?: unknown } | null)?.name).filter(isPlayerName);
  return { online, most, names: [...new Set(names)] } as Status;
}

/** Players on the server at `host`:`port`, or null when it does not answer within `timeout_ms`. */
export function ping(host: string, port: number, timeout_ms = 3_000): Promise<Status | null> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    const end = (status: Status | null) => {
      clearTimeout(timer);
      socket.destroy();
      done(status);
    };
    const timer = setTimeout(() => end(null), timeout_ms);
    let got = Buffer.alloc(0);
    socket.on('error', () => end(null)).on('close', () => end(null));
    socket.on('connect', () => {
      const portBytes = Buffer.alloc(2);
      portBytes.writeUInt16BE(port);
      // version -1: any; next state 1: status
      socket.write(Buffer.concat([packet(0, number(-1), text(host), portBytes, number(1)), packet(0)]));
    });
    socket.on('data', (bytes) => {
      got = Buffer.concat([got, bytes]);
      try {
        const answer = answerOf(got);
        if (answer === null) return got.length > max_answer_bytes ? end(null) : undefined;
        end(statusOf(JSON.parse(answer)));
      } catch {
        end(null);
      }
    });
  });
}
