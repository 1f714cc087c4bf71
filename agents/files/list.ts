import type { z } from 'zod';
import type { FileEntry, fileQueries } from '#control/protocol/files.ts';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { about, namesOf } from './file-error.ts';
import { type EntryType, entryOf, type Folder, unless } from './folder.ts';
import { entriesIn, max_looked_at } from './names-in.ts';
import type { Tree } from './tree.ts';

type Input<K extends keyof typeof fileQueries> = z.output<(typeof fileQueries)[K]['input']>;
type Output<K extends keyof typeof fileQueries> = z.output<(typeof fileQueries)[K]['output']>;

/** Entries that are asked for at once: the system has four threads for that. */
const at_once = 64;

interface Named {
  name: string;
  type: EntryType;
  /** By which names are sorted. */
  key: string;
}

/**
 * One page of a folder, folders first; of the first `max_looked_at` entries, when it has more (`complete` is false then). Refuses
 * `file_not_found`, `file_not_directory`.
 */
export async function list(tree: Tree, asked: Input<'list'>): Promise<Output<'list'>> {
  const names = namesOf(asked.path);
  return await about(asked.path, () =>
    tree.in(names, async (folder) => {
      const found: Named[] = [];
      let looked_at = 0;
      for await (const { name, type } of entriesIn(folder)) {
        looked_at += 1;
        if (looked_at > max_looked_at) break;
        if (names.length === 0 && name === reserved_name) continue;
        if (asked.show !== 'all' && (type === 'directory') !== (asked.show === 'directories')) continue;
        found.push({ name, type, key: name.toLowerCase() });
      }
      const complete = looked_at <= max_looked_at;
      const until = asked.from + asked.limit;
      if (asked.sort === 'name') {
        found.sort(foldersFirst(asked.descending, ({ key }) => key));
        const page = await entriesOf(folder, found.slice(asked.from, until));
        return { entries: page, total: found.length, complete };
      }
      const { sort } = asked;
      const entries = await entriesOf(folder, found);
      entries.sort(foldersFirst(asked.descending, (one) => one[sort]));
      return { entries: entries.slice(asked.from, until), total: entries.length, complete };
    }),
  );
}

type Sorted = { name: string; type: EntryType };
function foldersFirst<T extends Sorted>(descending: boolean, sortedBy: (one: T) => string | number) {
  const up = descending ? -1 : 1;
  return (a: T, b: T): number => {
    const folders = Number(b.type === 'directory') - Number(a.type === 'directory');
    if (folders !== 0) return folders;
    const [one, other] = [sortedBy(a), sortedBy(b)];
    if (one !== other) return one < other ? -up : up;
    return a.name < b.name ? -up : up;
  };
}

/** Without those that were removed meanwhile. */
async function entriesOf(folder: Folder, found: readonly Named[]): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (let from = 0; from < found.length; from += at_once) {
    const some = found.slice(from, from + at_once);
    const read = await Promise.all(some.map(({ name }) => entryOf(folder, name).catch(unless('ENOENT'))));
    entries.push(...read.filter((one) => one !== null));
  }
  return entries;
}

/** The entry of each path, null where there is none. */
export async function stat(tree: Tree, { paths }: Input<'stat'>): Promise<Output<'stat'>> {
  const entries: (FileEntry | null)[] = [];
  for (const path of paths) {
    const names = namesOf(path);
    const name = names.pop();
    // the server's folder itself
    const found =
      name === undefined
        ? { ...(await entryOf(tree.root, '.')), name: '' }
        : await tree.in(names, (folder) => folder.find(name)).catch(unless('ENOENT', 'ENOTDIR'));
    entries.push(found);
  }
  return { entries };
}
