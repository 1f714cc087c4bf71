import { constants, type FileHandle, open } from 'node:fs/promises';
import type { z } from 'zod';
import type { fileQueries } from '#control/protocol/files.ts';
import type { Access } from './access.ts';
import { AppendWriter } from './append-writer.ts';
import { about, FileError, namesOf } from './file-error.ts';
import { fetchBody } from './transfer.ts';
import { sizeOf } from './uploads.ts';

type Input<K extends keyof typeof fileQueries> = z.output<(typeof fileQueries)[K]['input']>;

/** Opens what brings the bytes, until `signal` ends it; `bytes` is NaN while their number is not known. */
type OpenBody = (signal: AbortSignal) => Promise<{ body: AsyncIterable<Buffer>; bytes: number }>;
type Asked = Omit<Input<'upload_receive'>, 'get'>;

/** What an address of the control plane gives. */
export const fromPlane =
  (access: Access, get: string): OpenBody =>
  async (signal) => {
    const body = await fetchBody({ url: access.context.url(), path: get, signal });
    return { body, bytes: Number(body.headers['content-length'] ?? Number.NaN) };
  };

/** An upload of unknown size reserves so much at a time. */
const step_bytes = 4 * 1024 * 1024;

/** Begins an upload; one that exists goes on. Refuses `file_path_invalid`, `disk_full`. */
export async function beginUpload(access: Access, asked: Input<'upload_begin'>): Promise<{ offset: number }> {
  const { tree, uploads, context } = access;
  const { upload_id, path, bytes } = asked;
  namesOf(path, 'fresh');
  if (!uploads.has(upload_id)) {
    const made = { path, bytes, begun: context.now(), etag: null, finished: null };
    await about(path, () => uploads.add(tree, upload_id, made, access.reserve));
  }
  return { offset: (await uploadOffset(access, { upload_id })).offset };
}

/** How far an upload is. Refuses `upload_not_found`. */
export async function uploadOffset({ tree, uploads }: Access, { upload_id }: Input<'upload_offset'>) {
  const { bytes, finished } = uploads.find(upload_id).meta;
  // its file is somewhere else by now
  if (finished && bytes !== null) return { offset: bytes, bytes };
  return { offset: await tree.own('uploads', (folder) => sizeOf(folder, upload_id)), bytes };
}

/**
 * Appends what `openBody` brings. What arrived before the line broke is kept. A newer request for the same upload ends
 * an older one. Refuses `upload_not_found`, `upload_offset_wrong`, `disk_full`, `upload_incomplete`.
 */
export async function receiveUpload(
  access: Access,
  asked: Asked,
  openBody: OpenBody,
): Promise<{ offset: number }> {
  const upload = access.uploads.find(asked.upload_id);
  while (upload.receiving) {
    upload.receiving.abort.abort();
    await upload.receiving.ended;
  }
  const abort = new AbortController();
  const receiving = receive(access, asked, () => openBody(abort.signal));
  const mine = { abort, ended: receiving.catch(() => {}) };
  upload.receiving = mine;
  try {
    return { offset: await about(upload.meta.path, () => receiving) };
  } finally {
    upload.receiving = null;
  }
}

async function receive(access: Access, asked: Asked, openBody: () => ReturnType<OpenBody>): Promise<number> {
  const { upload_id, offset } = asked;
  return await access.tree.own('uploads', async (folder) => {
    const begin = await sizeOf(folder, upload_id);
    if (begin !== offset || access.uploads.find(upload_id).meta.finished)
      throw new FileError('upload_offset_wrong', { offset: begin });
    const { O_WRONLY, O_NOFOLLOW } = constants;
    const handle = await open(folder.at(upload_id), O_WRONLY | O_NOFOLLOW);
    try {
      const end = await append(access, { ...asked, handle, openBody });
      await handle.datasync();
      return end;
    } finally {
      await handle.close();
    }
  });
}

interface Appending extends Asked {
  handle: FileHandle;
  openBody(): ReturnType<OpenBody>;
}

/** Gives the offset after the last byte that was stored. */
async function append(access: Access, { upload_id, offset, handle, openBody }: Appending): Promise<number> {
  const { meta, reserved } = access.uploads.find(upload_id);
  let [got, waiting] = [offset, 0];
  let writer: AppendWriter | null = null;
  try {
    const { body, bytes: expected } = await openBody();
    const onWritten = (bytes: number) => {
      reserved.written(bytes);
      waiting -= bytes;
    };
    writer = new AppendWriter(handle, { at: offset, expected, onWritten });
    for await (const chunk of body) {
      if (meta.bytes !== null && got + chunk.length > meta.bytes) {
        await writer.end();
        await handle.truncate(offset);
        throw new FileError('upload_offset_wrong', { offset });
      }
      // what one write stores is reserved before it
      if (meta.bytes === null && reserved.left() - waiting < chunk.length)
        await reserved.grow(Math.max(chunk.length, step_bytes)).catch(() => reserved.grow(chunk.length));
      [got, waiting] = [got + chunk.length, waiting + chunk.length];
      await writer.add(chunk);
    }
    await writer.end();
  } catch (error) {
    if (error instanceof FileError && error.code === 'upload_offset_wrong') throw error;
    // what arrived is kept
    await writer?.end();
    if (error instanceof FileError || (error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    // the line broke: the control plane goes on at the offset it is told, if there is anything new
    if (got === offset) throw new FileError('upload_incomplete');
  }
  return writer?.at ?? offset;
}
