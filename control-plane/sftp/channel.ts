import type { Duplex } from 'node:stream';
import { sftpLimits } from './limits.ts';
import { MalformedPacket } from './wire.ts';

/** The packets of a channel, without their length. Throws `MalformedPacket` for one that is empty or too long. */
export async function* packetsOf(channel: Duplex): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of channel as AsyncIterable<Buffer>) {
    parts.push(chunk);
    bytes += chunk.length;
    let wanted = lengthOf(parts);
    if (wanted === null || bytes < 4 + wanted) continue;
    let rest = Buffer.concat(parts);
    while (wanted !== null && rest.length >= 4 + wanted) {
      yield rest.subarray(4, 4 + wanted);
      rest = rest.subarray(4 + wanted);
      wanted = lengthOf([rest]);
    }
    parts = rest.length > 0 ? [rest] : [];
    bytes = rest.length;
  }
}

/** The length of the packet that begins here; null when it is not known yet. */
function lengthOf(parts: Buffer[]): number | null {
  const first = parts[0]!;
  const head = first.length >= 4 || parts.length === 1 ? first : Buffer.concat(parts.slice(0, 5));
  if (head.length < 4) return null;
  const length = head.readUInt32BE();
  if (length === 0 || length > sftpLimits.packet_bytes)
    throw new MalformedPacket(`A packet of ${length} bytes.`);
  return length;
}

/** Sends a packet; settles when the client made room for it, or is gone. */
export const send = (channel: Duplex, packet: Buffer): Promise<void> =>
  new Promise((done) => {
    if (channel.destroyed || channel.writableEnded) return done();
    const closed = () => done();
    channel.once('close', closed);
    channel.write(packet, () => {
      channel.off('close', closed);
      done();
    });
  });

/** Places for requests that are being answered, and for the bytes that they hold. */
export class RequestSlots {
  #requests = 0;
  #bytes = 0;
  #waiting: (() => void) | null = null;

  /** Settles when there is room; one caller waits at a time. */
  async enter(bytes: number): Promise<void> {
    while (this.#requests > 0 && this.#isFull(bytes))
      await new Promise<void>((go) => {
        this.#waiting = go;
      });
    this.#requests += 1;
    this.#bytes += bytes;
  }

  #isFull(bytes: number): boolean {
    return this.#requests >= sftpLimits.requests || this.#bytes + bytes > sftpLimits.request_bytes;
  }

  leave(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
    const go = this.#waiting;
    this.#waiting = null;
    go?.();
  }

  get isBusy(): boolean {
    return this.#requests > 0;
  }
}
