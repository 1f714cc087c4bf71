import { Pool } from 'undici';
import { openLoop } from '../open-loop.ts';
import type { LauncherRequest } from './traffic.ts';

/** The limit that the tail of the answers may not pass. */
export const p99_limit_ms = 50;
const seconds = 6;
const steps = 6;

export interface Capacity {
  /** Requests per second, the highest measured rate whose p99 stayed below the limit. */
  per_second: number;
  p99_ms: number;
}

/** Sends requests to a server over 64 kept connections; fails for an answer that is no success. */
export function sender(url: string): {
  send(request: LauncherRequest): Promise<Buffer>;
  close(): Promise<void>;
} {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  return {
    async send({ path, body }) {
      const answer = await pool.request({
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
      return bytes;
    },
    close: () => pool.close(),
  };
}

/** The rate at which p99 passes the limit: doubled from 100 a second until it does, then narrowed by halves. */
export async function capacityOf(url: string, requests: readonly LauncherRequest[]): Promise<Capacity> {
  const { send, close } = sender(url);
  try {
    for (const request of requests) await send(request); // as warm as a server that runs since yesterday
    const p99At = async (per_second: number) => {
      const { p99, failed } = await openLoop(send, requests, { per_second, least_s: seconds });
      return failed > 0 ? Number.POSITIVE_INFINITY : p99;
    };
    let good: Capacity = { per_second: 0, p99_ms: 0 };
    let bad = 100;
    for (let p99 = await p99At(bad); p99 <= p99_limit_ms && bad < 50_000; p99 = await p99At(bad)) {
      good = { per_second: bad, p99_ms: p99 };
      bad *= 2;
    }
    for (let step = 0; step < steps && bad - good.per_second > 25; step++) {
      const middle = Math.round((good.per_second + bad) / 2);
      const p99 = await p99At(middle);
      if (p99 <= p99_limit_ms) good = { per_second: middle, p99_ms: p99 };
      else bad = middle;
    }
    return good;
  } finally {
    await close();
  }
}
