import { lstat } from 'node:fs/promises';
import type { z } from 'zod';
import type { FileEntry, fileQueries } from '#control/protocol/files.ts';
import type { Access } from './access.ts';
import { file_mode } from './create.ts';
import { FileError, shown } from './file-error.ts';
import { type Folder, unless } from './folder.ts';
import { renamed } from './move.ts';
import { place } from './place.ts';
import { removeAll } from './remove.ts';
import { sizeOf } from './uploads.ts';

type Finish = (typeof fileQueries)['upload_finish'];

/**
 * Moves a complete upload to its place, at once or not at all. Repeated, it says where it was moved. Refuses
 * `upload_not_found`, `upload_incomplete`, `file_exists`, `file_changed`.
 */
export async function finishUpload(
  access: Access,
  { upload_id, on_conflict, if_etag }: z.output<Finish['input']>,
): Promise<z.output<Finish['output']>> {
  const { tree, uploads } = access;
  const { meta, reserved, receiving } = uploads.find(upload_id);
  if (receiving) throw new FileError('upload_incomplete');
  if (meta.finished) return await whereItIs(access, meta.finished);
  return await tree.own('uploads', async (folder) => {
    const part = await folder.find(upload_id);
    if (!part) return await movedBefore(access, upload_id);
    if (meta.bytes !== null && (await sizeOf(folder, upload_id)) !== meta.bytes)
      throw new FileError('upload_incomplete');
    meta.etag = part.etag;
    await uploads.save(folder, upload_id);
    const name = await tree.atNew(meta.path, async (target, last) =>
      access.exclusively(async () => {
        const there = await target.find(last);
        if (if_etag !== undefined && (there?.etag ?? '') !== if_etag)
          throw new FileError('file_changed', { path: shown(meta.path) });
        await folder.give(upload_id, tree.uid, there ? await modeOf(target, last) : file_mode);
        const choice = if_etag === undefined ? on_conflict : 'replace';
        const to = { folder: target, name: last, path: meta.path };
        return await place(access, { folder, name: upload_id, directory: false }, to, choice);
      }),
    );
    if (name === null) await removeAll(folder, [upload_id]);
    reserved.release();
    meta.finished = { path: name === null ? meta.path : renamed(meta.path, name), skipped: name === null };
    await uploads.save(folder, upload_id);
    return await whereItIs(access, meta.finished);
  });
}

/** A file keeps its mode when its content is replaced: scripts stay executable. */
const modeOf = async (folder: Folder, name: string): Promise<number> => {
  const found = await lstat(folder.at(name));
  return found.isFile() ? found.mode : file_mode;
};

async function whereItIs(
  { tree }: Access,
  { path, skipped }: { path: string; skipped: boolean },
): Promise<{ path: string; entry: FileEntry | null }> {
  if (skipped) return { path, entry: null };
  return { path, entry: await tree.at(path, (folder, name) => folder.find(name)) };
}

/** The agent ended between the move and its record. */
async function movedBefore(access: Access, upload_id: string): Promise<z.output<Finish['output']>> {
  const { path, etag } = access.uploads.find(upload_id).meta;
  const found = await access.tree
    .at(path, (folder, name) => folder.find(name))
    .catch(unless('file_not_found', 'file_not_directory'));
  if (!found || found.etag !== etag) throw new FileError('upload_not_found');
  return { path, entry: found };
}
