import { assertAllowed, Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { BackupSettings } from '../backups/begin.ts';
import type { ChangeWork } from '../content/change-work.ts';
import type { ChangeView } from '../content/view.ts';
import { lockChangeableServer } from '../locked.ts';
import { scopeFor, whyNotSee } from '../rules.ts';
import { changeViews } from './read.ts';
import { beforeOf, beginChange, viewOf } from './request.ts';
import { changeById, isRepeated } from './rows.ts';
import { whyNotMake, whyNotUndoChange } from './rules.ts';

/**
 * Takes the newest change back: its files, and game version, loader and modpack as they were. A server that runs is stopped
 * and started again when the change needed that. Refuses as `requestServerChange`, `change_not_found`, and
 * `change_not_undoable` unless it is the newest one that was made and not taken back.
 */
export async function undoServerChange(
  db: Db,
  actor: Actor,
  { server_id, op_id, change_id }: { server_id: string; op_id: string; change_id: string },
  settings: BackupSettings,
  now: Date,
): Promise<ChangeView> {
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotSee);
  const change = await changeById(db, change_id);
  if (change?.server_id !== server_id) throw new Refused('change_not_found');
  const { data: done, step } = change;
  assertAllowed(whyNotMake({ ...done.wanted, kind: done.kind })(actor, server.facts), {
    scope: scopeFor.change,
  });
  if (await isRepeated(db, { op_id, server_id, kind: 'undo' })) return await viewOf(db, server_id, op_id);
  const shown = (await changeViews(db, server_id)).find(({ id }) => id === change_id);
  const why = whyNotUndoChange({ step, kind: done.kind, newer: !shown?.undoable });
  assertAllowed(why, { by: 'content_change' });
  const wanted: ChangeWork = {
    spec: done.wanted.spec && done.before.spec,
    content: done.wanted.content && { folders: done.wanted.content.folders },
    ...{ files: {}, pack: null, erase: done.wanted.erase, backup: false, stops: done.wanted.stops },
  };
  const items = done.items.map(({ title, from, to }) => ({ title, from: to, to: from }));
  const before = await beforeOf(db, server_id, done.before.pack !== undefined);
  const row = { kind: 'undo' as const, items, count: done.count, wanted, before, undoes: change_id };
  return await beginChange(db, actor, server, { ...row, op_id, stop: true }, settings, now);
}
