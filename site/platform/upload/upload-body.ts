import type { IncomingMessage } from 'node:http';
import { Refused } from '#db/platform/errors.ts';
import { type ByteReader, readerOf } from './byte-reader.ts';

/** A request body read one chunk at a time, at the reader's pace. */
export interface Body {
  /** The next bytes, null at the end. Refuses `upload_incomplete` (the client disconnected) and `upload_too_slow`. */
  read(): Promise<Buffer | null>;
  /**
   * Reads and discards the rest, so that a client that is still sending receives the answer; stops after a bounded
   * time.
   */
  drain(): Promise<void>;
  /** Ends it where it is: a read that waits gives null. */
  end(): void;
}

export interface MinimumRate {
  bytes_per_second: number;
  /** The window of waiting time over which the rate is measured, in milliseconds; no refusal before its end. */
  window_ms?: number;
}

const drain_ms = 30_000;

/**
 * Opens the body of `request`. Only time spent waiting for the client counts against its minimum rate, and there is no
 * limit to the total duration. Source: design §4.2.
 */
export const openBody = (request: Request, rate: MinimumRate): Body =>
  pacedBody(request.body?.getReader() ?? null, rate);

/**
 * `openBody` of a large body, from the connection itself, where there is one: bytes are valid until the next read, which frees
 * them.
 */
export const openLargeBody = (
  request: Request,
  incoming: IncomingMessage | undefined,
  rate: MinimumRate,
): Body => (incoming ? pacedBody(readerOf(incoming), rate) : openBody(request, rate));

function pacedBody(reader: ByteReader | null, { bytes_per_second, window_ms = 15_000 }: MinimumRate): Body {
  let left_ms = window_ms;
  let bytes = 0;
  let slow = false;

  /** Compares the rate with the minimum at the end of a window, and starts the next one. */
  const judge = () => {
    slow = bytes < (bytes_per_second * window_ms) / 1000;
    left_ms = window_ms;
    bytes = 0;
    return slow;
  };
  const next = async (): Promise<Buffer | null> => {
    if (!reader) return null;
    let started = performance.now();
    let timer: NodeJS.Timeout;
    const watch = (ms: number) => {
      timer = setTimeout(() => {
        started = performance.now();
        if (judge()) reader.cancel().catch(() => {});
        else watch(window_ms);
      }, ms);
    };
    watch(left_ms);
    try {
      const { done, value } = await reader.read();
      if (slow) throw new Refused('upload_too_slow', { bytes_per_second });
      left_ms = Math.max(0, left_ms - (performance.now() - started));
      bytes += value?.length ?? 0;
      return done ? null : Buffer.from(value.buffer, value.byteOffset, value.length);
    } catch (error) {
      if (error instanceof Refused) throw error;
      throw new Refused(slow ? 'upload_too_slow' : 'upload_incomplete', { bytes_per_second });
    } finally {
      clearTimeout(timer!);
    }
  };

  return {
    read: next,
    end() {
      reader?.cancel().catch(() => {});
    },
    async drain() {
      const until = performance.now() + drain_ms;
      try {
        while (performance.now() < until && (await next()));
      } catch {
        // the client is gone
      }
    },
  };
}
