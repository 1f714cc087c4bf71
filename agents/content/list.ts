import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import type { z } from 'zod';
import { type ContentFile, type contentQueries, max_content_files } from '#control/protocol/content.ts';
import type { Access } from '../files/access.ts';
import { about, namesOf } from '../files/file-error.ts';
import { unless } from '../files/folder.ts';
import { entriesIn } from '../files/names-in.ts';
import { hashOf, identityOf } from './hashes.ts';

type List = (typeof contentQueries)['content_list'];

/** Paths and hashes of one answer have at most so many bytes: a message of the socket has to hold them. */
const max_answer_bytes = 700_000;

interface FoundFile {
  folder: string;
  name: string;
  path: string;
  identity: string;
  bytes: number;
  modified: number;
}

/**
 * The files directly in some folders with their hashes. They are listed between two changes of this agent, never in the
 * middle of one; they are read afterwards. Links are left out. Refuses `file_not_directory` for a folder that is a link.
 */
export async function listContent(
  { tree, exclusively }: Pick<Access, 'tree' | 'exclusively'>,
  { folders }: z.output<List['input']>,
): Promise<z.output<List['output']>> {
  const all = await exclusively(() => listFiles(tree, folders));
  const files: ContentFile[] = [];
  const revision = createHash('sha256');
  let bytes = 0;
  for (const group of Object.values(Object.groupBy(all, ({ folder }) => folder))) {
    const fits = group!.filter(({ path }) => {
      bytes += Buffer.byteLength(path) + 250;
      return bytes <= max_answer_bytes;
    });
    const listed = fits.slice(0, max_content_files - files.length);
    const hashes = await hashesOf(tree, listed);
    for (const [index, one] of group!.entries()) {
      const sha512 = hashes[index];
      if (index < listed.length && sha512 === null) continue;
      // what is not hashed counts as changed when it was touched
      revision.update(`${one.path}\0${sha512 ?? one.identity}\n`);
      if (sha512) files.push({ path: one.path, bytes: one.bytes, modified: one.modified, sha512 });
    }
  }
  return { files, more: Math.max(0, all.length - files.length), revision: revision.digest('hex') };
}

async function listFiles(tree: Access['tree'], folders: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const folder of new Set(folders)) {
    const inside: FoundFile[] = [];
    await about(folder, () =>
      tree.in(namesOf(folder), async (here) => {
        for await (const { name, type } of entriesIn(here)) {
          if (type !== 'file') continue;
          const stats = await lstat(here.at(name), { bigint: true }).catch(unless('ENOENT'));
          if (!stats?.isFile()) continue;
          inside.push({
            ...{ folder, name, path: `${folder}/${name}`, identity: identityOf(stats) },
            bytes: Number(stats.size),
            modified: Number(stats.mtimeNs / 1_000n) / 1_000,
          });
        }
      }),
    ).catch(unless('file_not_found'));
    found.push(...inside.sort((one, other) => (one.name < other.name ? -1 : 1)));
  }
  return found;
}

async function hashesOf(tree: Access['tree'], files: readonly FoundFile[]): Promise<(string | null)[]> {
  const [first] = files;
  if (!first) return [];
  const gone = files.map(() => null);
  return (
    (await tree
      .in(namesOf(first.folder), (folder) =>
        Promise.all(files.map(({ name, identity }) => hashOf(folder, name, identity))),
      )
      .catch(unless('ENOENT', 'ENOTDIR'))) ?? gone
  );
}
