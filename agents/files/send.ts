import type { FileHandle } from 'node:fs/promises';
import { createZstdCompress } from 'node:zlib';
import type { z } from 'zod';
import type { fileQueries } from '#control/protocol/files.ts';
import type { Access } from './access.ts';
import { FileError, shown } from './file-error.ts';
import { packTar, packZip } from './pack.ts';
import { sendBody } from './transfer.ts';

type Send = (typeof fileQueries)['send'];

const chunk_bytes = 256 * 1024;

/**
 * Sends a file, or files and folders as one archive, to an address of the control plane. A file has its length and
 * `x-file-etag` as headers. Links and devices in folders are left out. Refuses `file_not_found`, `file_is_directory`,
 * `file_not_regular`, and `file_changed` when a file becomes shorter meanwhile.
 */
export async function send(access: Access, asked: z.output<Send['input']>): Promise<{ bytes: number }> {
  const { paths, as, put } = asked;
  const to = { url: access.context.url(), path: put };
  if (as === 'file') {
    if (paths.length !== 1) throw new FileError('invalid_input', { problem: 'one file at a time' });
    return { bytes: await sendFile(access, asked, to) };
  }
  if (as === 'zip')
    return {
      bytes: await sendBody(
        { ...to, headers: { 'content-type': 'application/zip' } },
        packZip(access.tree, paths),
      ),
    };
  const packed = packTar(access.tree, paths);
  const compressed = createZstdCompress();
  packed.once('error', (error) => compressed.destroy(error));
  packed.pipe(compressed);
  try {
    return { bytes: await sendBody({ ...to, headers: { 'content-type': 'application/zstd' } }, compressed) };
  } finally {
    packed.destroy();
  }
}

async function sendFile(
  { tree }: Access,
  { paths: [path = ''], offset, length }: z.output<Send['input']>,
  to: { url: string; path: string },
): Promise<number> {
  return await tree.at(path, async (folder, name) => {
    const handle = await folder.file(name);
    try {
      // of the descriptor: the name may lead to another file by now
      const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
      const left = Math.max(0, Number(size) - offset);
      const bytes = Math.min(left, length ?? left);
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': bytes,
        'x-file-etag': `${mtimeNs}-${size}-${ino}`,
      };
      return await sendBody({ ...to, headers }, exactly(handle, { path, offset, bytes }));
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
