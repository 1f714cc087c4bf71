import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { BackupError } from './error.ts';

/** A control plane that takes nothing for this long is gone. */
const idle_ms = 60_000;

/**
 * Sends `content` by PUT to `path` of the control plane at `url` (`http`, `https` or `unix:`). Gives the bytes sent. A
 * content that fails does not end as a complete request.
 */
export async function putContent(
  { url, path }: { url: string; path: string },
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  const unix = url.startsWith('unix:');
  const to = new URL(path, unix ? 'http://localhost' : url);
  const sent = (to.protocol === 'https:' ? overHttps : overHttp)(to, {
    method: 'PUT',
    headers: { 'content-type': 'application/zstd' },
    timeout: idle_ms,
    ...(unix ? { socketPath: url.slice('unix:'.length) } : {}),
  });
  const answered = new Promise<number>((go, fail) => {
    sent.once('error', fail);
    sent.once('timeout', () => sent.destroy(new Error('The control plane took nothing for a minute')));
    sent.once('response', (answer) => {
      answer.resume();
      go(answer.statusCode ?? 0);
    });
  });
  answered.catch(() => {});
  let bytes = 0;
  try {
    await pipeline(
      content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          yield chunk;
        }
      },
      sent,
      { signal },
    );
    const status = await answered;
    if (status !== 200) throw new Error(`The control plane answered ${status}`);
  } catch (error) {
    sent.destroy();
    throw signal.aborted ? new BackupError('cancelled') : error;
  }
  return bytes;
}
