import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import type { Access } from '../files/access.ts';
import {
  changesOf,
  expireChanges,
  inNewChange,
  loadState,
  removeChange,
  saveManifest,
} from '../files/content-changes.ts';
import { file_mode } from '../files/create.ts';
import { FileError } from '../files/file-error.ts';
import type { Folder } from '../files/folder.ts';
import type { OnProgress } from '../files/progress.ts';
import { removeAll } from '../files/remove.ts';
import { download } from './download.ts';
import { type Exchange, exchange } from './exchange.ts';
import { listContent } from './list.ts';
import { overlayLimits, unpackOverlay } from './overlay.ts';
import { checkPaths, planExchange, type Staged } from './plan.ts';
import { syncTree } from './sync-tree.ts';

type Asked = OperationInput<'content_apply'>;

/** Files that are fetched at once. */
const at_once = 4;
/** What a file takes on the disk beside its bytes. */
const entry_bytes = 4_096;
/** Slot of the archive, which no other file has. */
const archive_slot = 'archive';

export interface Applying {
  op_id: string;
  signal: AbortSignal;
  onProgress: OnProgress;
  /** Called before files are exchanged: from here on nothing cancels it. */
  onExchange(): Promise<void>;
  onStep?: Exchange['onStep'];
  limits?: typeof overlayLimits;
}

/**
 * Changes files all at once: everything is fetched and checked beside them first. A failure leaves what was there before.
 * Refuses as `content_apply` in the protocol says.
 */
export async function applyContent(
  access: Access,
  given: Asked,
  applying: Applying,
): Promise<OperationOutput<'content_apply'>> {
  const { tree, exclusively, context } = access;
  const asked = checkPaths(given);
  await assertRevision(access, asked, exclusively);
  const { op_id } = applying;
  // one that was cut off before its exchange
  await removeChange(tree, op_id);
  return await inNewChange(tree, op_id, async (folder) => {
    try {
      const staged = await stage(access, asked, applying, folder);
      await syncTree(tree);
      if (applying.signal.aborted) throw new FileError('change_canceled');
      await applying.onExchange();
      await exclusively(async () => {
        await assertRevision(access, asked, (work) => work());
        const manifest = await planExchange(tree, staged, asked);
        await saveManifest(folder, manifest);
        const at = context.now();
        const number = ((await changesOf(tree))[0]?.state?.number ?? 0) + 1;
        const { move, remove } = asked;
        const counts = { added: staged.length, moved: move.length, removed: remove.length };
        const { onStep } = applying;
        const change: Exchange = { tree, folder, now: at, ...(onStep ? { onStep } : {}) };
        await exchange(change, manifest, { phase: 'taking', number, at, ...counts });
        await expireChanges(tree, at);
      });
    } catch (error) {
      // one that could not be reverted stays, and is reverted later
      const state = await loadState(folder);
      if (!state || state.phase === 'undone') await removeChange(tree, op_id);
      throw error;
    }
    await syncTree(tree);
    return await resultOf(access, asked, (await loadState(folder))!);
  });
}

/** What a change did, and the revision afterwards. */
export async function resultOf(
  access: Access,
  { folders }: Pick<Asked, 'folders'>,
  { added, moved, removed }: { added: number; moved: number; removed: number },
): Promise<OperationOutput<'content_apply'>> {
  const { revision } = await listContent(access, { folders });
  return { added, moved, removed, revision };
}

async function assertRevision(
  { tree }: Access,
  { folders, revision }: Asked,
  exclusively: Access['exclusively'],
): Promise<void> {
  if (revision === null) return;
  const now = await listContent({ tree, exclusively }, { folders });
  if (now.revision !== revision) throw new FileError('content_changed');
}

/** Fetches everything into slots of the change. Its bytes are reserved before the first arrives. */
async function stage(
  access: Access,
  { add, archive, get }: Asked,
  { signal, onProgress, limits = overlayLimits }: Applying,
  folder: Folder,
): Promise<Staged[]> {
  const { context, tree } = access;
  const total = add.length + (archive ? 1 : 0);
  const sizes = [...add, ...(archive ? [archive] : [])].map(({ bytes }) => bytes + entry_bytes);
  const reserved = await access.reserve(sizes.reduce((sum, bytes) => sum + bytes, 0));
  const from = { context, get, reserved, signal };
  let done = 0;
  const arrived = (): void => onProgress(++done, total);
  onProgress(0, total);
  try {
    const queue = [...add.entries()];
    const failure = new AbortController();
    const either = AbortSignal.any([signal, failure.signal]);
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, wanted] = next;
        const name = `new-${index}`;
        await download({ ...from, signal: either }, wanted, { folder, name });
        await folder.give(name, tree.uid, file_mode);
        arrived();
      }
    };
    // the first failure ends the others, and all of them have ended before anything is removed
    const ended = await Promise.allSettled(
      Array.from({ length: at_once }, () =>
        work().catch((error) => {
          if (!failure.signal.aborted) failure.abort(error);
          throw error;
        }),
      ),
    );
    if (signal.aborted) throw new FileError('change_canceled');
    if (ended.some(({ status }) => status === 'rejected')) throw failure.signal.reason;
    const staged = add.map(({ path }, index) => ({ path, slot: `new-${index}` }));
    if (!archive) return staged;
    const wanted = { ...archive, urls: [], path: 'modpack' };
    await download(from, wanted, { folder, name: archive_slot });
    const unpacking = { access, folder, reserved, signal, limits };
    const overlay = await unpackOverlay(unpacking, archive_slot, archive.folders);
    await removeAll(folder, [archive_slot]);
    arrived();
    const over = new Set(overlay.map(({ path }) => path));
    return [...staged.filter(({ path }) => !over.has(path)), ...overlay];
  } finally {
    reserved.release();
  }
}
