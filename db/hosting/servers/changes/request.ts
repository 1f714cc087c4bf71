import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type BackupSettings, makeRoom } from '../backups/begin.ts';
import { isBackupInProgress } from '../backups/read.ts';
import { whyNotBeginBackup } from '../backups/rules.ts';
import type { Before, ChangeWork, ContentInput, LoaderSpec, PackFiles } from '../content/change-work.ts';
import type { ChangeView } from '../content/view.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer, type ServerRecord } from '../read.ts';
import { mustStop, whyNotOperate } from '../rules.ts';
import { openTask } from '../tasks/rows.ts';
import { beginTask } from '../tasks/steps.ts';
import { changeViews } from './read.ts';
import { type Change, isRepeated } from './rows.ts';
import { whyNotMake } from './rules.ts';
import { changes } from './steps.ts';

/** Of a large change some names are told. */
const named_items = 3;

export interface ChangeRequest {
  server_id: string;
  /** Made by the client: the same one twice is one change. The change and its operation on files have it as their id. */
  op_id: string;
  kind: Exclude<ChangeView['kind'], 'undo'>;
  /** First 20 of what changes, and how many there are. */
  items: ChangeView['items'];
  count: number;
  /** What the server is afterwards; null when that stays. */
  spec: LoaderSpec | null;
  /** Arguments of `content_apply`; null when no files change. */
  content: ContentInput | null;
  /** What the agent may fetch for it: sha512 -> key of the storage. */
  files: Record<string, string>;
  /** The modpack that the server has afterwards; null when that stays. */
  pack: PackFiles | null;
  /** All files go into the trash first. */
  erase: boolean;
  /** Makes a backup of the state before first. */
  backup: boolean;
  /** A running server may be stopped when it has to be; it is started again afterwards. */
  stop: boolean;
}

/**
 * Begins a change of content or loader, in the caller's transaction. Loader, modpacks and erasing need a stopped server;
 * other changes are made while it runs. Refuses as `whyNotMake` and `whyNotOperate`, `server_upgrading`, `server_busy`
 * while another change is in progress, `backup_in_progress`, `server_still_running` unless `stop`, `backups_too_many` when
 * there is no room for the backup, `operation_mismatch`.
 */
export async function requestServerChange(
  db: Db,
  actor: Actor,
  request: ChangeRequest,
  settings: BackupSettings,
  now: Date,
): Promise<ChangeView> {
  const { server_id, op_id, kind, spec, content, files, pack, erase, backup } = request;
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotMake(request));
  if (await isRepeated(db, { op_id, server_id, kind })) return await viewOf(db, server_id, op_id);
  const stops = kind === 'loader' || kind === 'modpack' || spec !== null || erase;
  const wanted: ChangeWork = { spec, content, files, pack, erase, backup, stops };
  const before = await beforeOf(db, server_id, pack !== null || erase);
  const row = { kind, items: request.items, count: request.count, wanted, before, undoes: null };
  return await beginChange(db, actor, server, { ...request, ...row }, settings, now);
}

/**
 * The change that was requested with this id before, whatever has become of it; null when there is none. Refuses as
 * `whyNotMake`, and `operation_mismatch` when the id belongs to something else.
 */
export async function requestedChange(
  db: Db,
  actor: Actor,
  { server_id, op_id, kind }: Pick<ChangeRequest, 'server_id' | 'op_id' | 'kind'>,
  now: Date,
): Promise<ChangeView | null> {
  const rule = whyNotMake({ kind, content: null, erase: false });
  await findAuthorizedServer(db, actor, server_id, now, rule);
  return (await isRepeated(db, { server_id, op_id, kind })) ? await viewOf(db, server_id, op_id) : null;
}

/** A change of a server as its owner sees it. Refuses `change_not_found`. */
export async function viewOf(db: Db, server_id: string, id: string): Promise<ChangeView> {
  const found = (await changeViews(db, server_id)).find((one) => one.id === id);
  if (!found) throw new Refused('change_not_found');
  return found;
}

/** What a server is now, for taking the change back; with the modpack when `with_pack`. */
export async function beforeOf(db: Db, server_id: string, with_pack: boolean): Promise<Before> {
  const [spec] = await db<Before['spec'][]>`
    select game_version, loader, loader_version, java from servers where id = ${server_id}`;
  if (!spec) throw new Refused('server_not_found');
  if (!with_pack) return { spec: { ...spec } };
  const [pack = null] = await db<NonNullable<Before['pack']>[]>`
    select project_id, version_id, files, installed, change_id from server_packs where server_id = ${server_id}`;
  return { spec: { ...spec }, pack };
}

type NewChange = Pick<Change['data'], 'kind' | 'items' | 'count' | 'wanted' | 'before' | 'undoes'> & {
  op_id: string;
  stop: boolean;
};

/** Stores a change and takes it as far as it can go now. The row of the server is locked. Refuses as `requestServerChange`. */
export async function beginChange(
  db: Db,
  actor: Actor,
  { view, facts }: ServerRecord,
  { op_id, stop, kind, items, count, wanted, before, undoes }: NewChange,
  settings: BackupSettings,
  now: Date,
): Promise<ChangeView> {
  const server_id = view.id;
  assertAllowed(whyNotOperate(facts));
  assertAllowed(facts.lifecycle === 'upgrading' ? 'server_upgrading' : null);
  assertAllowed((await openTask(db, 'change', server_id)) ? 'server_busy' : null, { by: 'content_change' });
  const in_progress = await isBackupInProgress(db, server_id);
  assertAllowed(whyNotBeginBackup({ in_progress, count: 0 }));
  const refuses = wanted.stops && !stop && mustStop({ ...facts, power_wanted: view.power_wanted });
  assertAllowed(refuses ? 'server_still_running' : null);
  // its place stays free: nothing else begins until the change has ended
  if (wanted.backup) await makeRoom(db, server_id, now, null);
  const names = items.slice(0, named_items).map(({ title }) => title);
  const told = { change_id: op_id, kind, count, ...(names.length > 0 && { names }) };
  const by = { server_id, actor_id: actor.user_id };
  await recordEvent(db, { name: 'server.change_requested', ...by, data: told });
  const nothing = { erase_op_id: null, revert_op_id: null, undone_by: null, first_start: null };
  const data = { kind, items, count, wanted, before, undoes, ...nothing };
  const task = { id: op_id, ...by, kind: 'change' as const, step: 'stopping' as const, data };
  await beginTask(changes, task, { db, settings, now });
  return await viewOf(db, server_id, op_id);
}
