import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Trouble } from './trouble.ts';

/** Where a process answers `/readyz`: host and port, or a unix socket. */
export type Door = { host: string; port: number } | { socketPath: string };

interface Answer {
  status: number;
  body: string;
}

/** One GET through a door; null when nobody answers. */
export async function ask(door: Door, path: string, limit_ms = 2_000): Promise<Answer | null> {
  return await new Promise<Answer | null>((done) => {
    const asked = request({ ...door, path, timeout: limit_ms, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        body += text;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, body }));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => done(null));
    asked.end();
  });
}

/** Waits until `/readyz` says 200; ends the start with what is missing when that takes too long. */
export async function untilReady(
  name: string,
  door: Door,
  stop: AbortSignal,
  limit_ms = 90_000,
): Promise<void> {
  const end = Date.now() + limit_ms;
  let last: Answer | null = null;
  while (Date.now() < end) {
    stop.throwIfAborted();
    last = await ask(door, '/readyz');
    if (last?.status === 200) return;
    await setTimeout(50, undefined, { signal: stop });
  }
  throw new Trouble(
    `The ${name} did not become ready within ${limit_ms / 1000} s: ${last?.body ?? 'no answer'}.`,
  );
}
