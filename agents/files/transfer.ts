import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';

/** A transfer in which nothing moves for this long has lost the other side. */
const idle_ms = 5 * 60_000;

interface Wanted {
  /** Address of the control plane: `http`, `https` or `unix:`. */
  url: string;
  /** Path and query there. */
  path: string;
  headers?: Record<string, string | number>;
  signal?: AbortSignal;
}

function requestTo(method: 'GET' | 'PUT', { url, path, headers, signal }: Wanted) {
  const unix = url.startsWith('unix:');
  const to = new URL(path, unix ? 'http://localhost' : url);
  const sent = (to.protocol === 'https:' ? overHttps : overHttp)(to, {
    method,
    ...(headers ? { headers } : {}),
    ...(signal ? { signal } : {}),
    ...(unix ? { socketPath: url.slice('unix:'.length) } : {}),
  });
  sent.setTimeout(idle_ms, () => sent.destroy(new Error('nothing moved for minutes')));
  return sent;
}

/**
 * Sends what `body` gives by PUT. The end is sent only after `body` ended well, so a broken body never counts as complete.
 * Gives the bytes sent. Throws when the control plane does not answer 200.
 */
export async function sendBody(to: Wanted, body: AsyncIterable<Uint8Array>): Promise<number> {
  const sent = requestTo('PUT', to);
  let status = 0;
  const answered = new Promise<void>((go, fail) => {
    sent.once('error', fail);
    sent.once('response', (answer) => {
      status = answer.statusCode ?? 0;
      answer.resume();
      // it does not want the rest
      if (status !== 200) sent.destroy(new Error(`The control plane answered ${status}`));
      go();
    });
  });
  answered.catch(() => {});
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(body, counted, sent);
    await answered;
    if (status !== 200) throw new Error(`The control plane answered ${status}`);
  } catch (error) {
    sent.destroy();
    throw status !== 0 && status !== 200 ? new Error(`The control plane answered ${status}`) : error;
  }
  return bytes;
}

/** Asks for a body by GET. Throws when the control plane does not answer 200. */
export async function fetchBody(from: Wanted): Promise<IncomingMessage> {
  const sent = requestTo('GET', from);
  return await new Promise((go, fail) => {
    sent.once('error', fail);
    sent.once('response', (answer) => {
      if (answer.statusCode === 200) return go(answer);
      sent.destroy();
      fail(new Error(`The control plane answered ${answer.statusCode}`));
    });
    sent.end();
  });
}
