import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { UserError } from './user-error.ts';

/** Where a process answers `/readyz`: host and port, or a unix socket. */
export type Address = { host: string; port: number } | { socketPath: string };

interface Answer {
  status: number;
  body: string;
}

/** Sends one GET to an address; null when nothing answers. */
export async function probe(door: Address, path: string, limit_ms = 2_000): Promise<Answer | null> {
  return await new Promise<Answer | null>((done) => {
    const req = request({ ...door, path, timeout: limit_ms, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        body += text;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, body }));
    });
    req.on('timeout', () => req.destroy());
    req.on('error', () => done(null));
    req.end();
  });
}

/** Waits until `/readyz` answers 200; on a time-out ends the start with what is missing. */
export async function untilReady(
  name: string,
  door: Address,
  stop: AbortSignal,
  limit_ms = 90_000,
): Promise<void> {
  const end = Date.now() + limit_ms;
  let last: Answer | null = null;
  while (Date.now() < end) {
    stop.throwIfAborted();
    last = await probe(door, '/readyz');
    if (last?.status === 200) return;
    await setTimeout(50, undefined, { signal: stop });
  }
  throw new UserError(
    `The ${name} did not become ready within ${limit_ms / 1000} s: ${last?.body ?? 'no answer'}.`,
  );
}
