import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';

/** A control plane that takes or sends nothing for this long is gone. */
const idle_ms = 90_000;
/** Most bytes of an answer that is no file. */
const max_answer_bytes = 64 * 1024;

interface Place {
  /** Address of the control plane: `http`, `https` or `unix:`. */
  url: string;
  /** Path and query there. */
  path: string;
  signal: AbortSignal;
}

function requestTo(method: 'GET' | 'PUT', { url, path, signal }: Place) {
  const unix = url.startsWith('unix:');
  const to = new URL(path, unix ? 'http://localhost' : url);
  const sent = (to.protocol === 'https:' ? overHttps : overHttp)(to, {
    method,
    signal,
    ...(unix ? { socketPath: url.slice('unix:'.length) } : {}),
    ...(method === 'PUT' ? { headers: { 'content-type': 'application/octet-stream' } } : {}),
  });
  sent.setTimeout(idle_ms, () => sent.destroy(new Error('The control plane did nothing for a minute')));
  return sent;
}

/** The JSON of an answer; `{}` when it has none. */
async function jsonOf(answer: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of answer) {
    text += chunk;
    if (text.length > max_answer_bytes) break;
  }
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Sends `content` by PUT. A refusal that comes before its end counts, and the rest is not sent; a content that fails does not end
 * as a complete request. Throws what `content` throws, and when there is no answer.
 */
export async function sendStored(
  to: Place,
  content: AsyncIterable<Buffer>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const sent = requestTo('PUT', to);
  const answered = new Promise<{ status: number; body: Record<string, unknown> }>((go, fail) => {
    let has_answer = false;
    sent.once('error', fail);
    sent.once('close', () => has_answer || fail(new Error('The control plane closed the connection')));
    sent.once('response', (answer) => {
      has_answer = true;
      const status = answer.statusCode ?? 0;
      jsonOf(answer).then((body) => {
        go({ status, body });
        // it does not want the rest
        if (status !== 200) sent.destroy();
      }, fail);
    });
  });
  answered.catch(() => {});
  try {
    await pipeline(content, sent, { signal: to.signal });
    return await answered;
  } catch (error) {
    // why it stopped taking bytes, when it has said so; only a moment, and never for a content that failed
    const said = await Promise.race([
      answered.catch(() => null),
      new Promise<null>((go) => setTimeout(go, 1_000, null)),
    ]);
    sent.destroy();
    if (said && said.status !== 200) return said;
    throw error;
  }
}

type Fetched = { ok: true; body: IncomingMessage; bytes: number } | { ok: false; error: string };

/** Fetches a file by GET, and how long it is; or the code of a refusal. Throws when there is no answer. */
export async function fetchStored(from: Place): Promise<Fetched> {
  const sent = requestTo('GET', from);
  const answer = await new Promise<IncomingMessage>((go, fail) => {
    sent.once('error', fail);
    sent.once('response', go);
    sent.end();
  });
  if (answer.statusCode !== 200) {
    const { error } = await jsonOf(answer);
    sent.destroy();
    return { ok: false, error: String(error ?? answer.statusCode) };
  }
  return { ok: true, body: answer, bytes: Number(answer.headers['content-length'] ?? Number.NaN) };
}
