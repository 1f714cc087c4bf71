import type { FileHandle } from 'node:fs/promises';
import { createZstdCompress } from 'node:zlib';
import type { z } from 'zod';
import type { fileQueries } from '#control/protocol/files.ts';
import type { Access } from './access.ts';
import { FileError, shown } from './file-error.ts';
import { packTar, packZip } from './pack.ts';
import { sendBody } from './transfer.ts';

type Send = (typeof fileQueries)['send'];

/** Takes what is sent; `bytes` and `etag` are those of a file. Gives how many bytes it took. */
export type Sink = (
  body: AsyncIterable<Uint8Array>,
  head: { type: string; bytes?: number; etag?: string },
) => Promise<number>;

/** By PUT to an address of the control plane. A file has its length, and its etag as `x-file-etag`, in the headers. */
export const toPlane =
  (access: Access, put: string): Sink =>
  (body, { type, bytes, etag }) => {
    const headers = {
      'content-type': type,
      ...(bytes === undefined ? {} : { 'content-length': bytes }),
      ...(etag === undefined ? {} : { 'x-file-etag': etag }),
    };
    return sendBody({ url: access.context.url(), path: put, headers }, body);
  };

type Asked = Omit<z.output<Send['input']>, 'put'>;

const chunk_bytes = 256 * 1024;

/**
 * Sends a file, or files and folders as one archive. Links and devices in folders are left out. Refuses `file_not_found`,
 * `file_is_directory`, `file_not_regular`, and `file_changed` when a file becomes shorter meanwhile.
 */
export async function send(access: Access, asked: Asked, to: Sink): Promise<{ bytes: number }> {
  const { paths, as } = asked;
  if (as === 'file') {
    if (paths.length !== 1) throw new FileError('invalid_input', { problem: 'one file at a time' });
    return { bytes: await sendFile(access, asked, to) };
  }
  if (as === 'zip') return { bytes: await to(packZip(access.tree, paths), { type: 'application/zip' }) };
  const packed = packTar(access.tree, paths);
  const compressed = createZstdCompress();
  packed.once('error', (error) => compressed.destroy(error));
  packed.pipe(compressed);
  try {
    return { bytes: await to(compressed, { type: 'application/zstd' }) };
  } finally {
    packed.destroy();
  }
}

async function sendFile(
  { tree }: Access,
  { paths: [path = ''], offset, length }: Asked,
  to: Sink,
): Promise<number> {
  return await tree.at(path, async (folder, name) => {
    const handle = await folder.file(name);
    try {
      // of the descriptor: the name may lead to another file by now
      const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
      const left = Math.max(0, Number(size) - offset);
      const bytes = Math.min(left, length ?? left);
      const head = { type: 'application/octet-stream', bytes, etag: `${mtimeNs}-${size}-${ino}` };
      return await to(exactly(handle, { path, offset, bytes }), head);
    } finally {
      await handle.close();
    }
  });
}

/** So many bytes of a file. Throws `file_changed` when it has fewer. */
async function* exactly(
  handle: FileHandle,
  { path, offset, bytes }: { path: string; offset: number; bytes: number },
): AsyncGenerator<Buffer> {
  for (let at = offset; at < offset + bytes; ) {
    const wanted = Math.min(chunk_bytes, offset + bytes - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new FileError('file_changed', { path: shown(path) });
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
