import { connect } from 'node:net';
import { field, packet } from '../game-protocol/packets.ts';

/** What a client of the game says to a server first, without a game behind it. Source: Server List Ping. */

interface Address {
  host: string;
  port: number;
  /** An address of this machine that it comes from. */
  localAddress?: string;
}

/** The version of the protocol that clients of 1.16.5 speak. */
const protocol = 754;

/** The first packet; `next` is 1 for a status, 2 for a login. */
function hello({ host, port }: Address, next: 1 | 2): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(port);
  return packet(0, field.number(protocol), field.text(host), bytes, field.number(next));
}

/** The start of a login. */
export const loginOf = (address: Address, name = 'Mirelle'): Buffer =>
  Buffer.concat([hello(address, 2), packet(0, field.text(name))]);

/** The first bytes that are answered to `bytes`; null when the connection ends without any, or after `limit_ms`. */
function firstAnswer(address: Address, bytes: Buffer, limit_ms: number): Promise<Buffer | null> {
  return new Promise((done) => {
    const socket = connect(address);
    const end = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.destroy();
      done(answer);
    };
    const timer = setTimeout(() => end(null), limit_ms);
    socket.on('error', () => end(null)).on('close', () => end(null));
    socket.once('data', end);
    socket.write(bytes);
  });
}

/** The text of the answer to a status ping; null when there is none. */
export async function motdAt(address: Address): Promise<string | null> {
  const answer = await firstAnswer(address, Buffer.concat([hello(address, 1), packet(0)]), 3_000);
  return answer?.toString() ?? null;
}

/** Tries to join, as far as the game accepts the login: a player whose server wakes waits up to 25 s. */
export async function tryLogin(address: Address): Promise<'let in' | 'refused' | 'cut'> {
  const answer = await firstAnswer(address, loginOf(address), 40_000);
  if (!answer) return 'cut';
  // it begins with compression or success; 0 is a refusal
  return answer[1] === 2 || answer[1] === 3 ? 'let in' : 'refused';
}
