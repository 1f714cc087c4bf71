import { createHash } from 'node:crypto';
import { Refused } from '../../platform/errors.ts';
import { blocksOf } from '../../platform/files/zip-read.ts';
import { isId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { StagedFile, Storage } from '../../platform/storage/storage.ts';
import type { UploadedFile } from '../versions/prepare.ts';
import { upload_limits } from './rules.ts';
import type { FileHashes, RunningHashes } from './running-hashes.ts';

/** A file that arrives in pieces. */
export interface UploadRow {
  id: string;
  project_id: string;
  filename: string;
  size: number;
}

/** Uploads that got no byte since then are gone. */
export const expiredBefore = (now: Date): Date => new Date(now.getTime() - upload_limits.hours * 3_600_000);

/** The actor's own uploads of these ids; those of others are as absent as those that never were. */
export async function uploadsOf(
  db: Db,
  actor: Actor,
  ids: readonly string[],
  now: Date,
): Promise<UploadRow[]> {
  return await db<UploadRow[]>`
    select id, project_id, filename, size from uploads
    where id = any(${ids.filter(isId)}::text[]) and user_id = ${actor.user_id} and touched > ${expiredBefore(now)}`;
}

/**
 * Finished uploads of a project as received files, in the order of `ids`, which become the names of their parts: the
 * server hashes what it has, while it arrives or else now, whatever the client said. Unknown ones are left out. Refuses `upload_unfinished`.
 */
export async function finishedUploads(
  { sql, storage, hashes }: { sql: Db; storage: Storage; hashes: RunningHashes },
  actor: Actor,
  { project_id, ids, now }: { project_id: string; ids: readonly string[]; now: Date },
): Promise<UploadedFile[]> {
  const rows = new Map((await uploadsOf(sql, actor, ids, now)).map((row) => [row.id, row]));
  const files: UploadedFile[] = [];
  for (const id of new Set(ids)) {
    const row = rows.get(id);
    if (row?.project_id !== project_id) continue;
    const content = await storage.partial(id);
    if (content?.size !== row.size)
      throw new Refused('upload_unfinished', {
        filename: row.filename,
        received: content?.size ?? 0,
        size: row.size,
      });
    const hashed = hashes.finished(id, row.size) ?? (await hashesOf(content));
    files.push({
      ...{ part: id, filename: row.filename, content, size: row.size },
      ...hashed,
    });
  }
  return files;
}

async function hashesOf(content: StagedFile): Promise<FileHashes> {
  const sha1 = createHash('sha1');
  const sha512 = createHash('sha512');
  const bytes = await content.open();
  try {
    for await (const block of blocksOf(bytes, 0, content.size)) {
      sha1.update(block);
      sha512.update(block);
    }
  } finally {
    await bytes.close();
  }
  return { sha1: sha1.digest('hex'), sha512: sha512.digest('hex') };
}
