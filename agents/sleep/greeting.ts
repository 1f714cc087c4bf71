import { readNumber } from '../game-protocol/packets.ts';

/** Most bytes of a handshake with its address, and of everything until a login. A connection with more is closed. */
const max_handshake_bytes = 600;
const max_login_bytes = 2_048;
const max_name_bytes = 64;

/** What a client said, as far as a sleeping server understands it. */
export type Heard =
  /** It wants the status; `protocol` is the version it speaks. */
  | { said: 'status'; protocol: number }
  /** A ping after the status: its eight bytes are sent back. */
  | { said: 'ping'; payload: Buffer }
  /** A status ping of a client from before version 1.7. */
  | { said: 'legacy_ping' }
  /** A player joins. `bytes` is everything that was read: the game has to hear it too. */
  | { said: 'join'; bytes: Buffer }
  /** Nothing that belongs here: the connection is to be closed. */
  | { said: 'garbage' };

/**
 * Reads what a client of the game sends first, from pieces of any size: handshake, then a status request with perhaps a
 * ping, or the start of a login. Never keeps more than `max_login_bytes`. Says nothing more after a join or garbage.
 */
export class Greeting {
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the part begins that was not understood yet. */
  #at = 0;
  #expected: 'handshake' | 'status' | 'ping' | 'login' | 'nothing' = 'handshake';
  #protocol = 0;

  /** What the next bytes complete, in order. */
  take(chunk: Buffer): Heard[] {
    if (this.#expected === 'nothing') return [];
    if (this.#bytes.length + chunk.length > max_login_bytes) return [this.#end({ said: 'garbage' })];
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const heard: Heard[] = [];
    try {
      while (this.#at < this.#bytes.length && this.#step(heard));
    } catch {
      heard.push(this.#end({ said: 'garbage' }));
    }
    return heard;
  }

  #end<H extends Heard>(last: H): H {
    this.#expected = 'nothing';
    this.#bytes = Buffer.alloc(0);
    return last;
  }

  /** Understands one packet; gives whether there may be another. Throws when it is none of those that belong here. */
  #step(heard: Heard[]): boolean {
    if (this.#expected === 'handshake' && this.#isLegacy()) {
      heard.push(this.#end({ said: 'legacy_ping' }));
      return false;
    }
    const length = readNumber(this.#bytes, this.#at);
    if (!length) return false;
    const [size, begin] = length;
    const most = this.#expected === 'login' ? max_login_bytes : max_handshake_bytes;
    if (size < 1 || size > most) throw new Error('the length of a packet is out of range');
    if (this.#bytes.length < begin + size) return false;
    this.#at = begin + size;
    this.#understand(this.#bytes.subarray(begin, this.#at), heard);
    return this.#expected !== 'nothing';
  }

  #understand(body: Buffer, heard: Heard[]): void {
    const [id, begin] = required(readNumber(body, 0));
    if (this.#expected === 'handshake') this.#handshake(body, id, begin);
    else if (this.#expected === 'login') {
      const [size, at] = required(readNumber(body, begin));
      if (id !== 0 || size < 1 || size > max_name_bytes || body.length < at + size)
        throw new Error('not the start of a login');
      heard.push(this.#end({ said: 'join', bytes: this.#bytes }));
    } else if (this.#expected === 'status' && id === 0) {
      this.#expected = 'ping';
      heard.push({ said: 'status', protocol: this.#protocol });
    } else if (id === 1 && body.length === begin + 8) {
      heard.push(this.#end({ said: 'ping', payload: Buffer.from(body.subarray(begin)) }));
    } else throw new Error('not a packet of a status ping');
  }

  #handshake(body: Buffer, id: number, begin: number): void {
    if (id !== 0) throw new Error('not a handshake');
    const [protocol, host] = required(readNumber(body, begin));
    const [size, text] = required(readNumber(body, host));
    const [next, end] = required(readNumber(body, text + size + 2));
    // 3: sent here by another server
    if (end !== body.length || next < 1 || next > 3) throw new Error('not a handshake');
    this.#protocol = protocol | 0;
    this.#expected = next === 1 ? 'status' : 'login';
  }

  /** 0xFE begins a ping of old clients: alone, before 0x01, or before 0x01 and 0xFA. It may also begin a long handshake. */
  #isLegacy(): boolean {
    const [first, second, third] = this.#bytes;
    if (first !== 0xfe) return false;
    return second === undefined || (second === 1 && (third === undefined || third === 0xfa));
  }
}

function required<T>(found: T | null): T {
  if (found === null) throw new Error('the packet ends too early');
  return found;
}
