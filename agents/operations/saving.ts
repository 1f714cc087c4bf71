import { lineMatching } from '../console/line-matching.ts';
import type { ServerController } from '../server/controller.ts';

/** How long the copy waits for the world to be written. Source: hosting §5.6. */
const flush_timeout_ms = 30_000;

/**
 * Runs `work` while the process of a server writes nothing: it is told to stop saving, writes what is new, and saves again
 * in every outcome. That saving is off is stored before, so that a later agent turns it on (`turnSavingOn`).
 */
export async function withSavingOff<T>(
  controller: ServerController,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { context, id, console, stored } = controller;
  const save = stored?.spec && context.kindOf(stored.spec)?.save;
  const { epoch } = console;
  // one that is starting does not listen yet: what changes while it is read is named
  if (!save || !epoch || !controller.observed?.alive || controller.power() !== 'running') return await work();
  context.store.journal.save(id, 'saving_off', { epoch });
  try {
    if (await console.writeUnseen(save.off)) {
      const wanted = { pattern: save.flushed, timeout_ms: flush_timeout_ms, signal };
      const flushed = lineMatching(controller.hearers, wanted);
      await console.writeUnseen(save.flush);
      if (!(await flushed) && !signal.aborted)
        context.log.warn({ server_id: id }, 'A server did not say that its world is saved before a backup');
    }
    return await work();
  } finally {
    await turnSavingOn(controller).catch((error) =>
      context.log.warn({ server_id: id, err: error }, 'Saving is turned on later'),
    );
  }
}

/** Turns saving on again when it is off for a backup that ended. Otherwise it stays stored, and is tried again later. */
export async function turnSavingOn(controller: ServerController): Promise<void> {
  const { context, id, console, stored } = controller;
  const off = context.store.journal.find(id, 'saving_off');
  if (!off) return;
  const save = stored?.spec && context.kindOf(stored.spec)?.save;
  const observed = await controller.refresh();
  // another process saves by itself
  const ended = !observed?.alive || !save || (console.epoch !== null && console.epoch !== off.epoch);
  if (ended || (await console.writeUnseen(save.on))) context.store.journal.remove(id, 'saving_off');
}
