import { readFile, rename } from 'node:fs/promises';
import { z } from 'zod';
import { type Folder, unless, within } from './folder.ts';
import { namesIn } from './names-in.ts';
import { removeAll } from './remove.ts';
import type { Tree } from './tree.ts';

/** Changes that can be taken back, and for how long. What they replaced counts as used space until then. */
const max_kept = 5;
const kept_ms = 7 * 24 * 3_600_000;
/** Changes that are over are remembered by their id, so that nobody takes them back twice. */
const max_over = 50;

/**
 * How far a change is. `taking`: files go out of their places; `putting`: the new ones go in; `done`. The way back is
 * `unputting`, `untaking`, `undone`. Stored before what it names begins.
 */
const phases = ['taking', 'putting', 'done', 'unputting', 'untaking', 'undone'] as const;
export type Phase = (typeof phases)[number];

const state = z.object({
  phase: z.enum(phases),
  /** Rises with every change of a server. */
  number: z.number(),
  /** Milliseconds since 1970. */
  at: z.number(),
  added: z.number(),
  moved: z.number(),
  removed: z.number(),
});
export type ChangeState = z.output<typeof state>;

/** Slots are names in the folder of a change: `old-1`, `new-1`. */
const slot = z.string().regex(/^(old|new)-\d+$/);
const manifest = z.object({
  /** What leaves its place, and the slot that keeps it. */
  out: z.array(z.object({ path: z.string(), slot })),
  /** What takes a place, and the slot it comes from. */
  put: z.array(z.object({ path: z.string(), slot })),
  /** Folders that are made, each before what is in it. */
  made: z.array(z.string()),
});
export type Manifest = z.output<typeof manifest>;

const id_pattern = /^[0-9a-f-]{36}$/;
const state_file = 'state.json';
const manifest_file = 'manifest.json';
const placed_file = 'placed.json';

/** Writes a small file at once: a reader finds the old one or the new one. */
async function save(folder: Folder, name: string, content: object): Promise<void> {
  const next = `${name}.next`;
  await removeAll(folder, [next]);
  const handle = await folder.newFile(next);
  try {
    await handle.writeFile(JSON.stringify(content));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(folder.at(next), folder.at(name));
}

async function load<T>(folder: Folder, name: string, shape: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(folder.at(name), 'utf8').catch(unless('ENOENT'));
  return text === null ? null : shape.parse(JSON.parse(text));
}

export const loadState = (folder: Folder): Promise<ChangeState | null> => load(folder, state_file, state);
export const saveState = (folder: Folder, to: ChangeState): Promise<void> => save(folder, state_file, to);
export const loadManifest = (folder: Folder): Promise<Manifest | null> =>
  load(folder, manifest_file, manifest);
export const saveManifest = (folder: Folder, to: Manifest): Promise<void> => save(folder, manifest_file, to);

/** The etags of what a change put in its places, in the order of its manifest. */
const placed = z.array(z.string());
export const loadPlaced = async (folder: Folder): Promise<string[]> =>
  (await load(folder, placed_file, placed)) ?? [];
export const savePlaced = (folder: Folder, etags: string[]): Promise<void> =>
  save(folder, placed_file, etags);

/** Runs `work` in the folder of one change; gives null where there is none. */
export async function inChange<T>(
  tree: Tree,
  id: string,
  work: (folder: Folder) => Promise<T>,
): Promise<T | null> {
  if (!(await tree.hasOwn())) return null;
  return await tree.own('changes', async (changes) => {
    const folder = await changes.folder(id).catch(unless('ENOENT', 'ENOTDIR'));
    return folder && (await within(Promise.resolve(folder), work));
  });
}

/** Runs `work` in the new folder of a change. */
export const inNewChange = <T>(tree: Tree, id: string, work: (folder: Folder) => Promise<T>): Promise<T> =>
  tree.own('changes', (changes) => within(changes.makeOwn(id), work));

/** All changes that are known here, newest first. One without a state never began. */
export async function changesOf(tree: Tree): Promise<{ id: string; state: ChangeState | null }[]> {
  if (!(await tree.hasOwn())) return [];
  const ids = (await tree.own('changes', (changes) => namesIn(changes))).filter((id) => id_pattern.test(id));
  const found = await Promise.all(
    ids.map(async (id) => ({ id, state: await inChange(tree, id, loadState) })),
  );
  return found.sort((one, other) => (other.state?.number ?? 0) - (one.state?.number ?? 0));
}

/** Removes a change as if it had never been. */
export const removeChange = (tree: Tree, id: string): Promise<void> =>
  tree.own('changes', (changes) => removeAll(changes, [id]));

/** Removes what a change that is over keeps; its id stays known. */
export async function emptyChange(folder: Folder): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => name !== state_file);
  await removeAll(folder, names);
}

/** Removes what can't be taken back any more: all but the newest, and what is too old. */
export async function expireChanges(tree: Tree, now: number): Promise<void> {
  const over: string[] = [];
  let kept = 0;
  for (const { id, state: known } of await changesOf(tree)) {
    if (known?.phase === 'undone') over.push(id);
    if (known?.phase !== 'done') continue;
    kept++;
    if (kept <= max_kept && now - known.at <= kept_ms) continue;
    await inChange(tree, id, async (folder) => {
      // from here on nobody takes it back: its files may be incomplete
      await saveState(folder, { ...known, phase: 'undone' });
      await emptyChange(folder);
    });
    over.push(id);
  }
  for (const id of over.slice(max_over)) await removeChange(tree, id);
}

/** Nothing can be taken back any more: all files were replaced. */
export async function forgetChanges(tree: Tree): Promise<void> {
  for (const { id } of await changesOf(tree)) await removeChange(tree, id);
}
