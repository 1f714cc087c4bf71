import { revert } from '../content/exchange.ts';
import type { AgentContext } from '../context.ts';
import type { Access } from '../files/access.ts';
import { changesOf, inChange, removeChange } from '../files/content-changes.ts';
import { filesOf } from '../files/server-files.ts';
import type { ServerController } from '../server/controller.ts';

/** What the settling of content needs of a controller. */
type ContentOwner = Pick<ServerController, 'id' | 'stored' | 'reconcile'> & {
  context: AgentContext;
};

/** Operations on content that run in this process, by server; null for one that cannot be cancelled any more. */
const running = new Map<object, Map<string, AbortController | null>>();

/** Runs an operation that may be cancelled until it calls `release`. */
export async function whileRunning<T>(
  owner: object,
  op_id: string,
  work: (signal: AbortSignal, release: () => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const own = running.get(owner) ?? new Map<string, AbortController | null>();
  running.set(owner, own.set(op_id, abort));
  try {
    return await work(abort.signal, () => void own.set(op_id, null));
  } finally {
    own.delete(op_id);
    if (own.size === 0) running.delete(owner);
  }
}

/** Cancels an operation on content; gives whether that is possible. */
export function cancelContent(owner: object, op_id: string): boolean {
  const abort = running.get(owner)?.get(op_id);
  abort?.abort();
  return abort != null;
}

const settling = new WeakMap<object, Promise<void>>();

/**
 * Brings the files of a server in order after a change that was cut off: all of them are the old ones or the new ones. Called
 * again and again until that worked; before, the server does not start.
 */
export function settleContent(owner: ContentOwner): Promise<void> {
  const { context, id } = owner;
  if (context.store.journal.find(id, 'changing') === null || running.has(owner)) return Promise.resolve();
  const now = settling.get(owner) ?? settle(owner).finally(() => settling.delete(owner));
  settling.set(owner, now);
  return now;
}

async function settle(owner: ContentOwner): Promise<void> {
  const { context, id, stored } = owner;
  try {
    if (stored?.spec)
      await filesOf(owner).use((access) => settleChanges(access), { takes: 'long', changes: true });
    context.store.journal.remove(id, 'changing');
    owner.reconcile();
  } catch (error) {
    context.log.error(
      { server_id: id, err: error },
      'The content of a server is not in order after a change; trying again',
    );
  }
}

/** Ends what is in the middle, and removes what never began. */
async function settleChanges({ tree, exclusively, context }: Access): Promise<void> {
  await exclusively(async () => {
    for (const { id, state } of await changesOf(tree))
      if (!state) await removeChange(tree, id);
      else if (state.phase !== 'done' && state.phase !== 'undone')
        await inChange(tree, id, (folder) => revert({ tree, folder, now: context.now() }));
  });
}
