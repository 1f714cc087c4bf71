import { lstat } from 'node:fs/promises';
import type { z } from 'zod';
import { type contentQueries, max_text_bytes } from '#control/protocol/content.ts';
import type { Access } from '../files/access.ts';
import { file_mode } from '../files/create.ts';
import { FileError, shown } from '../files/file-error.ts';
import { place } from '../files/place.ts';

type Read = (typeof contentQueries)['read_text'];
type Write = (typeof contentQueries)['write_text'];

const tooLarge = (path: string): FileError =>
  new FileError('server_file_too_large', { path: shown(path), most_mb: max_text_bytes / 1024 / 1024 });

/** A small file in base64, as it is, or a part of any file. Refuses `file_not_found`, `file_not_regular`, `server_file_too_large`. */
export async function readText(
  { tree }: Access,
  { path, part }: z.output<Read['input']>,
): Promise<z.output<Read['output']>> {
  return await tree.at(path, async (folder, name) => {
    const handle = await folder.file(name);
    try {
      // of the descriptor, in this order: what is written meanwhile has another etag
      const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
      if (!part && size > max_text_bytes) throw tooLarge(path);
      const buffer = Buffer.alloc(part ? part.bytes : max_text_bytes + 1);
      const from = part?.from ?? 0;
      let bytes = 0;
      for (let more = 1; more > 0 && bytes < buffer.length; bytes += more)
        more = (await handle.read(buffer, bytes, buffer.length - bytes, from + bytes)).bytesRead;
      if (bytes > max_text_bytes) throw tooLarge(path);
      return { content: buffer.toString('base64', 0, bytes), etag: `${mtimeNs}-${size}-${ino}` };
    } finally {
      await handle.close();
    }
  });
}

/**
 * Replaces a small file as a whole, or creates it: readers see the old content or the new one. Its mode stays. Refuses
 * `file_changed`, `file_is_directory`, `server_file_too_large`, `disk_full`.
 */
export async function writeText(
  access: Access,
  { path, content, if_etag }: z.output<Write['input']>,
): Promise<z.output<Write['output']>> {
  const { tree } = access;
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > max_text_bytes) throw tooLarge(path);
  const reserved = await access.reserve(bytes.length);
  try {
    return await tree.scratch(async (scratch) => {
      const handle = await scratch.newFile('text');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      reserved.written(bytes.length);
      return await tree.atNew(path, (folder, name) =>
        access.exclusively(async () => {
          const there = await folder.find(name);
          if (there?.type === 'directory') throw new FileError('file_is_directory', { path: shown(path) });
          if ((there?.etag ?? '') !== if_etag) throw new FileError('file_changed', { path: shown(path) });
          const mode = there?.type === 'file' ? (await lstat(folder.at(name))).mode : file_mode;
          await scratch.give('text', tree.uid, mode);
          const from = { folder: scratch, name: 'text', directory: false };
          await place(access, from, { folder, name, path }, 'replace');
          return { etag: (await folder.find(name))?.etag ?? '' };
        }),
      );
    });
  } finally {
    reserved.release();
  }
}
