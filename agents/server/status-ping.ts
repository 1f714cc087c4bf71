import { connect } from 'node:net';
import { max_named_players } from '#control/protocol/console.ts';
import { isPlayerName } from '#db/hosting/servers/players/rules.ts';
import { field, packet, readNumber } from '../game-protocol/packets.ts';

/** The status ping of the game's protocol, which fills a player's server list. Source: Server List Ping. */

export interface Status {
  online: number;
  most: number;
  /** Players that the answer names. Plugins put lines of text there: what is no name is left out. */
  names: string[];
}

const max_answer_bytes = 256 * 1024;

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
      socket.write(
        Buffer.concat([packet(0, field.number(-1), field.text(host), portBytes, field.number(1)), packet(0)]),
      );
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

/** Address at which this machine reaches servers of a node that binds them to `bind_address`. */
export const pingHost = (bind_address: string): string =>
  bind_address === '0.0.0.0' || bind_address === '::' ? '127.0.0.1' : bind_address;
