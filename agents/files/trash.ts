import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { entryTypes } from '#control/protocol/files.ts';
import { FileError } from './file-error.ts';
import { type Folder, typeOf, unless, within } from './folder.ts';
import { max_looked_at, namesIn } from './names-in.ts';
import { removeAll } from './remove.ts';
import type { Tree } from './tree.ts';
import { walk } from './walk.ts';

/** Deleted files stay this long. */
const retention_ms = 7 * 24 * 3_600_000;
/** Files of a deleted folder that are counted for its size. */
const max_counted = 20_000;
/** Items of the trash that are looked at; each is a file with a description. */
const max_items = max_looked_at;

const meta = z.object({
  path: z.string(),
  type: z.enum(entryTypes),
  bytes: z.number(),
  deleted: z.number(),
  /** Of the erasure of all files that moved it. */
  erase_id: z.string().optional(),
});
type TrashItem = z.output<typeof meta> & { trash_id: string };

const id_pattern = /^[0-9a-z]{9}-[0-9a-f]{12}$/;
const description = (id: string): string => `${id}.json`;

/** Moves `name` of `folder`, which is at `path`, into the trash. Throws `ENOENT`. */
export async function moveToTrash(
  tree: Tree,
  { folder, name, path, erase_id }: { folder: Folder; name: string; path: string; erase_id?: string },
  now: number,
): Promise<{ trash_id: string; path: string }> {
  const found = await lstat(folder.at(name));
  const type = typeOf(found);
  const bytes = type === 'directory' ? await bytesBelow(tree, folder, name) : Number(found.size);
  // sorts by time
  const trash_id = `${Math.floor(now).toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
  await tree.own('trash', async (trash) => {
    const about = trash.at(description(trash_id));
    try {
      await writeFile(about, JSON.stringify({ path, type, bytes, deleted: now, erase_id }), {
        flag: 'wx',
        mode: 0o600,
      });
      await rename(folder.at(name), trash.at(trash_id));
    } catch (error) {
      await rm(about, { force: true });
      throw error;
    }
  });
  return { trash_id, path };
}

async function bytesBelow(tree: Tree, parent: Folder, name: string): Promise<number> {
  const folder = await parent.folder(name).catch(unless('ENOENT', 'ENOTDIR'));
  if (!folder) return 0;
  return await within(Promise.resolve(folder), async () => {
    let [bytes, counted] = [0, 0];
    for await (const one of walk(tree, folder)) {
      if (counted++ >= max_counted) break;
      if (one.type !== 'file') continue;
      bytes += (await lstat(one.folder.at(one.name)).catch(unless('ENOENT')))?.size ?? 0;
    }
    return bytes;
  });
}

/** Ids of what is in the trash, newest first; of `max_items` when it has more. */
async function idsIn(tree: Tree): Promise<string[]> {
  if (!(await tree.hasOwn())) return [];
  const names = await tree.own('trash', (trash) => namesIn(trash, max_items * 2));
  return names
    .filter((name) => id_pattern.test(name))
    .sort()
    .reverse();
}

/** What is known of an item. Refuses `trash_item_not_found`. */
export async function readTrash(trash: Folder, trash_id: string): Promise<TrashItem> {
  const text = id_pattern.test(trash_id)
    ? await readFile(trash.at(description(trash_id)), 'utf8').catch(unless('ENOENT'))
    : null;
  if (text === null || !(await lstat(trash.at(trash_id)).catch(unless('ENOENT'))))
    throw new FileError('trash_item_not_found', { trash_id });
  return { ...meta.parse(JSON.parse(text)), trash_id };
}

/** One page of the trash, newest first. */
export async function listTrash(tree: Tree, page: { from: number; limit: number }) {
  const ids = await idsIn(tree);
  const shown = ids.slice(page.from, page.from + page.limit);
  const items: (Omit<TrashItem, 'erase_id'> & { expires: number })[] = [];
  if (shown.length > 0)
    await tree.own('trash', async (trash) => {
      for (const id of shown) {
        const item = await readTrash(trash, id).catch(() => null);
        if (!item) continue;
        const { erase_id, ...known } = item;
        items.push({ ...known, expires: item.deleted + retention_ms });
      }
    });
  return { items, total: ids.length };
}

/** What an erasure of all files moved into the trash, and is there still. */
export async function erasedItems(tree: Tree, erase_id: string): Promise<string[]> {
  const ids = await idsIn(tree);
  if (ids.length === 0) return [];
  return await tree.own('trash', async (trash) => {
    const found: string[] = [];
    for (const id of ids) {
      const item = await readTrash(trash, id).catch(() => null);
      if (item?.erase_id === erase_id) found.push(id);
    }
    return found;
  });
}

/** Removes items for good, all of them when `trash_ids` is null. Refuses `trash_item_not_found`. */
export async function purgeTrash(
  tree: Tree,
  trash_ids: readonly string[] | null,
): Promise<{ items: number; bytes: number }> {
  const ids = trash_ids ?? (await idsIn(tree));
  if (ids.length === 0) return { items: 0, bytes: 0 };
  return await tree.own('trash', async (trash) => {
    let bytes = 0;
    for (const id of ids) {
      const item = await readTrash(trash, id).catch((error) => {
        if (trash_ids) throw error;
        return null;
      });
      bytes += item?.bytes ?? 0;
    }
    await removeAll(trash, ids);
    await removeAll(trash, ids.map(description));
    return { items: ids.length, bytes };
  });
}

/** Removes what was deleted too long ago, and descriptions without anything. */
export async function expireTrash(tree: Tree, now: number): Promise<void> {
  if (!(await tree.hasOwn())) return;
  const oldest = Math.floor(now - retention_ms)
    .toString(36)
    .padStart(9, '0');
  const old = (await idsIn(tree)).filter((id) => id.slice(0, 9) < oldest);
  if (old.length > 0)
    await purgeTrash(tree, old).catch(() => tree.own('trash', (trash) => removeAll(trash, old)));
  await tree.own('trash', async (trash) => {
    const names = new Set(await namesIn(trash, max_items * 2));
    const alone = [...names].filter((name) => name.endsWith('.json') && name.slice(0, 9) < oldest);
    await removeAll(
      trash,
      alone.filter((name) => !names.has(name.slice(0, -'.json'.length))),
    );
  });
}
