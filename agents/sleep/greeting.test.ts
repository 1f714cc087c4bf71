import { describe, expect, it } from 'vitest';
import { field, packet } from '../game-protocol/packets.ts';
import { legacyAnswer, pong, type Shown, startingAnswer, statusAnswer } from './answers.ts';
import { Greeting, type Heard } from './greeting.ts';

const port = Buffer.from([0x63, 0xdd]);
const handshake = (next: number, host = 'localhost', protocol = 754) =>
  packet(0, field.number(protocol), field.text(host), port, field.number(next));
const login = (name = 'Mirelle', rest = Buffer.alloc(16, 7)) => packet(0, field.text(name), rest);
const request = packet(0);
const ping = packet(1, Buffer.from('12345678'));

/** What is heard when the bytes arrive in pieces of `size`. */
function hear(bytes: Buffer, size = bytes.length): Heard[] {
  const greeting = new Greeting();
  const heard: Heard[] = [];
  for (let at = 0; at < bytes.length; at += size) heard.push(...greeting.take(bytes.subarray(at, at + size)));
  return heard;
}

describe('what a client says first', () => {
  const status = Buffer.concat([handshake(1), request, ping]);
  const join = Buffer.concat([handshake(2), login()]);
  it.each([1, 2, 3, 7, 1_000])('is understood in pieces of %i bytes', (size) => {
    expect(hear(status, size)).toEqual([
      { said: 'status', protocol: 754 },
      { said: 'ping', payload: Buffer.from('12345678') },
    ]);
    expect(hear(join, size)).toEqual([{ said: 'join', bytes: join }]);
  });

  it('is a join also when another server sent the player', () => {
    const bytes = Buffer.concat([handshake(3), login()]);
    expect(hear(bytes)).toEqual([{ said: 'join', bytes }]);
  });

  it('keeps what came after the start of a login, for the game', () => {
    const bytes = Buffer.concat([join, Buffer.from([1, 2, 3])]);
    expect(hear(bytes)).toEqual([{ said: 'join', bytes }]);
  });

  it('has the version of a client that knows none', () => {
    expect(hear(Buffer.concat([handshake(1, 'x', -1), request]))).toEqual([{ said: 'status', protocol: -1 }]);
  });

  it.each([
    ['of beta versions', [0xfe]],
    ['of version 1.5', [0xfe, 0x01]],
    ['of version 1.6', [0xfe, 0x01, 0xfa, 0x00, 0x0b]],
  ])('may be a ping %s', (_, bytes) => {
    expect(hear(Buffer.from(bytes))).toEqual([{ said: 'legacy_ping' }]);
  });

  it('may be a handshake of 254 bytes, which begins like an old ping', () => {
    const long = handshake(1, 'h'.repeat(246));
    expect([...long.subarray(0, 2)]).toEqual([0xfe, 0x01]);
    expect(hear(Buffer.concat([long, request]))).toEqual([{ said: 'status', protocol: 754 }]);
  });

  it('is nothing yet while it is incomplete', () => {
    expect(hear(join.subarray(0, join.length - 1))).toEqual([]);
    expect(hear(handshake(2))).toEqual([]);
  });
});

describe('garbage', () => {
  const inLogin = (bytes: Buffer) => Buffer.concat([handshake(2), bytes]);
  it.each<[string, Buffer]>([
    ['text of the web', Buffer.from('GET / HTTP/1.1\r\nHost: example.org\r\n\r\n'.repeat(3))],
    ['an encrypted greeting', Buffer.from('16030100ea010000e60303'.padEnd(400, '0'), 'hex')],
    ['nothing but zeros', Buffer.alloc(10)],
    ['a length without an end', Buffer.alloc(6, 0xff)],
    ['a length of two gigabytes', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07, 0x00])],
    ['a handshake that is too long', handshake(1, 'h'.repeat(700))],
    [
      'an address longer than its packet',
      packet(0, field.number(754), field.number(200), port, field.number(1)),
    ],
    ['bytes behind a handshake', packet(0, field.number(1), field.text('h'), port, field.number(1), port)],
    ['another packet than a handshake', packet(5, field.text('hello'))],
    ['a state that does not exist', handshake(4)],
    ['a login without a name', inLogin(packet(0, field.text('')))],
    ['a login with an endless name', inLogin(packet(0, field.text('n'.repeat(65))))],
    ['another packet than a login', inLogin(packet(3, field.text('Mirelle')))],
    ['a login that is too long', inLogin(login('Mirelle', Buffer.alloc(3_000)))],
    ['a ping with a long payload', Buffer.concat([handshake(1), packet(1, Buffer.alloc(9))])],
    ['a second request', Buffer.concat([handshake(1), request, request])],
  ])('is %s, in whatever pieces', (_, bytes) => {
    expect(hear(bytes).at(-1)).toEqual({ said: 'garbage' });
    expect(hear(bytes, 1).at(-1)).toEqual({ said: 'garbage' });
  });

  it('is answered once, and nothing is heard after it', () => {
    const greeting = new Greeting();
    expect(greeting.take(Buffer.alloc(5_000))).toEqual([{ said: 'garbage' }]);
    expect(greeting.take(handshake(1))).toEqual([]);
  });

  it('of any bytes neither throws nor is kept', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed >> 16;
    };
    for (let round = 0; round < 2_000; round++) {
      const start = round % 2 === 0 ? handshake(1 + (round % 3)) : Buffer.alloc(0);
      const noise = Buffer.from(Array.from({ length: random() % 300 }, () => random() & 0xff));
      for (const heard of hear(Buffer.concat([start, noise]), 1 + (random() % 50)))
        expect(['status', 'ping', 'legacy_ping', 'join', 'garbage']).toContain(heard.said);
    }
  });
});

describe('an answer', () => {
  const shown: Shown = { motd: 'Back soon\n§aJoin to wake it', game_version: '1.21.4', most: 20 };
  const textIn = (bytes: Buffer) => bytes.toString('utf8').slice(bytes.toString('utf8').indexOf('{'));

  it('to a status request has the text, no players and the version of the client', () => {
    expect(JSON.parse(textIn(statusAnswer(shown, 754)))).toEqual({
      version: { name: '1.21.4', protocol: 754 },
      players: { max: 20, online: 0 },
      description: { text: shown.motd },
    });
    expect(textIn(statusAnswer({ ...shown, motd: ' ' }, 1))).toContain('Join to wake it');
  });
  it('to a ping has its bytes', () => {
    expect(pong(Buffer.from('12345678'))).toEqual(ping);
  });
  it('to an old ping is UTF-16', () => {
    const answer = legacyAnswer(shown);
    const text = Buffer.from(answer.subarray(3)).swap16().toString('utf16le');
    expect([answer[0], answer.readUInt16BE(1)]).toEqual([0xff, text.length]);
    expect(text.split('\0')).toEqual(['§1', '127', '1.21.4', 'Back soon §aJoin to wake it', '0', '20']);
  });
  it.each([
    [42_000, 5_000, 40],
    [42_000, 60_000, 5],
    [null, 25_000, 35],
  ])('to a join names the wait: %s ms after %s', (start, begun, seconds) => {
    const text = `The server is starting. Join again in about ${seconds} seconds.`;
    expect(JSON.parse(textIn(startingAnswer(start, begun)))).toEqual({ text });
  });
});
