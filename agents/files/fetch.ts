import type { FileHandle } from 'node:fs/promises';
import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import { AddressRefused } from '#db/platform/runtime/public-request.ts';
import type { Access } from './access.ts';
import { file_mode } from './create.ts';
import { FileError, namesOf } from './file-error.ts';
import { placeAt } from './move.ts';
import type { OnProgress } from './progress.ts';

const max_redirects = 5;
/** The longest a fetch may take. */
const time_ms = 30 * 60_000;
/** Without a length bytes are reserved so many at a time. */
const step_bytes = 8 * 1024 * 1024;

/**
 * Fetches a public address into a file, which appears when it is complete. Redirects are followed, each as carefully as the
 * first address. Refuses `address_not_allowed`, `fetch_failed`, `disk_full`, `file_exists`, `operation_canceled`.
 */
export async function fetchFile(
  access: Access,
  { url, path, on_conflict }: OperationInput<'file_fetch'>,
  onProgress: OnProgress,
): Promise<OperationOutput<'file_fetch'>> {
  namesOf(path, 'fresh');
  const signal = AbortSignal.any([access.signal, AbortSignal.timeout(time_ms)]);
  const answer = await requestPublic(access.context, url, signal).catch((error) => {
    access.signal.throwIfAborted();
    throw error;
  });
  // an answer that is given up closes its connection
  answer.body.on('error', () => {});
  try {
    const length = Number(answer.headers['content-length'] ?? Number.NaN);
    return await access.tree.scratch(async (scratch) => {
      const handle = await scratch.newFile('fetched');
      let bytes = 0;
      try {
        bytes = await store(access, { handle, body: answer.body, length, onProgress });
        await handle.sync();
      } finally {
        await handle.close();
      }
      await scratch.give('fetched', access.tree.uid, file_mode);
      access.signal.throwIfAborted();
      const from = { folder: scratch, name: 'fetched', directory: false };
      const now = await placeAt(access, from, path, on_conflict);
      return { path: now ?? path, bytes: now === null ? 0 : bytes };
    });
  } finally {
    answer.body.destroy();
  }
}

/**
 * The answer of a public address. Redirects are followed, each as carefully as the first address. Refuses
 * `address_not_allowed`, `fetch_failed`.
 */
export async function requestPublic(
  context: Pick<Access['context'], 'fetchPublic'>,
  address: string,
  signal: AbortSignal,
) {
  let url = addressOf(address);
  for (let redirects = 0; ; redirects++) {
    const answer = await context
      .fetchPublic(url, { signal, headers: { 'user-agent': 'Cairn' } })
      .catch((error) => {
        if (error instanceof AddressRefused) throw new FileError('address_not_allowed');
        throw new FileError('fetch_failed', { problem: 'no connection' });
      });
    const { statusCode, headers, body } = answer;
    if (statusCode === 200) return answer;
    body.on('error', () => {}).destroy();
    const { location } = headers;
    if (statusCode < 300 || statusCode >= 400 || typeof location !== 'string')
      throw new FileError('fetch_failed', { problem: String(statusCode) });
    if (redirects >= max_redirects) throw new FileError('fetch_failed', { problem: 'too many redirects' });
    url = addressOf(location, url);
  }
}

function addressOf(text: string, relative_to?: URL): URL {
  if (!URL.canParse(text, relative_to?.href)) throw new FileError('address_not_allowed');
  return new URL(text, relative_to);
}

interface Storing {
  handle: FileHandle;
  body: AsyncIterable<Buffer>;
  /** What the answer says it has; NaN when it does not say. */
  length: number;
  onProgress: OnProgress;
}

async function store(access: Access, { handle, body, length, onProgress }: Storing): Promise<number> {
  const total = Number.isSafeInteger(length) && length >= 0 ? length : null;
  const reserved = await access.reserve(total ?? 0);
  let bytes = 0;
  try {
    const chunks = body[Symbol.asyncIterator]();
    for (;;) {
      const { value: chunk, done } = await chunks.next().catch(() => {
        access.signal.throwIfAborted();
        throw new FileError('fetch_failed', { problem: 'the connection broke' });
      });
      if (done) break;
      if (reserved.left() < chunk.length)
        await reserved.grow(Math.max(chunk.length, step_bytes)).catch(() => reserved.grow(chunk.length));
      await handle.writeFile(chunk);
      reserved.written(chunk.length);
      bytes += chunk.length;
      onProgress(bytes, total);
    }
  } finally {
    reserved.release();
  }
  return bytes;
}
