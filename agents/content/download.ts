import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { OperationInput } from '#control/protocol/agent.ts';
import type { Access } from '../files/access.ts';
import { requestPublic } from '../files/fetch.ts';
import { FileError, shown, systemCode } from '../files/file-error.ts';
import type { Folder } from '../files/folder.ts';
import type { Reservation } from '../files/quota.ts';
import { removeAll } from '../files/remove.ts';
import { fetchBody } from '../files/transfer.ts';

/** A file to fetch: what it has to be, and where it is. */
interface Wanted {
  sha512: string;
  bytes: number;
  urls: readonly string[];
  /** For refusals. */
  path: string;
}
interface Downloading {
  context: Access['context'];
  get: OperationInput<'content_apply'>['get'];
  reserved: Reservation;
  signal: AbortSignal;
}
type Body = AsyncIterable<Uint8Array> & { destroy(): unknown };

const failed = ({ path }: Wanted, problem: string): FileError =>
  new FileError('content_download_failed', { file: shown(path), problem });

/**
 * Fetches a file into `folder`, from its addresses in order or else from the control plane, and checks what arrived. A file
 * that is refused is not left there. Refuses `content_download_failed`, `content_hash_wrong`, `change_canceled`.
 */
export async function download(
  from: Downloading,
  wanted: Wanted,
  to: { folder: Folder; name: string },
): Promise<void> {
  const sources: (() => Promise<Body>)[] = wanted.urls.map((url) => () => publicBody(from, url));
  if (sources.length === 0) sources.push(() => planeBody(from, wanted));
  let last: unknown;
  for (const open of sources) {
    try {
      return await store(from, wanted, open, to);
    } catch (error) {
      await removeAll(to.folder, [to.name]);
      if (from.signal.aborted) throw new FileError('change_canceled');
      if (!(error instanceof FileError) || error.code === 'disk_full') throw error;
      last = error;
    }
  }
  throw last;
}

async function planeBody({ context, get, signal }: Downloading, wanted: Wanted): Promise<Body> {
  if (get === null) throw failed(wanted, 'no address is known');
  return await fetchBody({ url: context.url(), path: `${get}&file=${wanted.sha512}`, signal });
}

async function publicBody({ context, signal }: Downloading, url: string): Promise<Body> {
  const { body } = await requestPublic(context, url, signal);
  // an answer that is given up closes its connection
  return body.on('error', () => {});
}

async function store(
  { reserved }: Downloading,
  wanted: Wanted,
  open: () => Promise<Body>,
  { folder, name }: { folder: Folder; name: string },
): Promise<void> {
  const body = await open().catch((error) => {
    if (error instanceof FileError && error.code === 'content_download_failed') throw error;
    throw failed(wanted, problemOf(error));
  });
  const handle = await folder.newFile(name);
  try {
    await receive(handle, body, wanted, reserved);
  } finally {
    await handle.close();
    body.destroy();
  }
}

async function receive(handle: FileHandle, body: Body, wanted: Wanted, reserved: Reservation): Promise<void> {
  const hash = createHash('sha512');
  let bytes = 0;
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const { value: chunk, done } = await chunks.next().catch(() => {
      throw failed(wanted, 'the connection broke');
    });
    if (done) break;
    bytes += chunk.length;
    // whatever follows, it is another file
    if (bytes > wanted.bytes) throw new FileError('content_hash_wrong', { file: shown(wanted.path) });
    hash.update(chunk);
    await handle.writeFile(chunk);
    reserved.written(chunk.length);
  }
  if (bytes < wanted.bytes) throw failed(wanted, `only ${bytes} of ${wanted.bytes} bytes arrived`);
  if (hash.digest('hex') !== wanted.sha512)
    throw new FileError('content_hash_wrong', { file: shown(wanted.path) });
}

/** Why an address did not answer, in words for people. */
function problemOf(error: unknown): string {
  if (error instanceof FileError)
    return error.code === 'address_not_allowed' ? 'its address is not public' : String(error.data.problem);
  const code = systemCode(error);
  return code ?? (error instanceof Error ? error.message.slice(0, 200) : 'no connection');
}
