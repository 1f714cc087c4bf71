import type { Db } from '../../../platform/postgres/sql.ts';
import type { OperationError } from '../operations/rules.ts';
import type { ChangeView } from './view.ts';

/** Changes of content and loader as they are stored. */

/** Game version and loader of a server; `loader_version` null is the newest one. */
export interface LoaderSpec {
  game_version: string;
  loader: string | null;
  loader_version: string | null;
}

/** Arguments of the operation `content_apply`; `get` is added when the change gets there. */
export interface ContentInput {
  folders: string[];
  revision: string | null;
  add: { path: string; sha512: string; bytes: number; urls: string[] }[];
  archive: { sha512: string; bytes: number; folders: string[] } | null;
  move: { from: string; to: string }[];
  remove: string[];
}

/** A modpack with the files that it brought: path -> sha512. */
export interface PackFiles {
  project_id: string;
  version_id: string;
  files: Record<string, string>;
}

/** What a change does. Once it has ended, `content` has only its folders, and `files` is empty. */
export interface ChangeWork {
  spec: LoaderSpec | null;
  content: ContentInput | { folders: string[] } | null;
  /** sha512 -> key of the storage. */
  files: Record<string, string>;
  pack: PackFiles | null;
  erase: boolean;
  backup: boolean;
  /** The server has to be stopped for it. */
  stops: boolean;
}

/** What the server was before; `pack` is there when the change replaces or removes it. */
export interface Before {
  spec: LoaderSpec & { java: number | null };
  pack?: (PackFiles & { installed: string; change_id: string | null }) | null;
}

export interface ChangeRow {
  id: string;
  server_id: string;
  actor_id: string | null;
  kind: ChangeView['kind'];
  step: ChangeView['step'];
  items: ChangeView['items'];
  count: number;
  wanted: ChangeWork;
  before: Before;
  safety_backup_id: string | null;
  starts: boolean;
  step_until: string;
  cancelling: boolean;
  erase_op_id: string | null;
  revert_op_id: string | null;
  undoes: string | null;
  undone_by: string | null;
  first_start: 'begun' | 'ok' | 'failed' | null;
  error: OperationError | null;
  created: string;
  ended: string | null;
}

const columns = [
  ...[
    'id',
    'server_id',
    'actor_id',
    'kind',
    'step',
    'items',
    'count',
    'wanted',
    'before',
    'safety_backup_id',
  ],
  ...[
    'starts',
    'step_until',
    'cancelling',
    'erase_op_id',
    'revert_op_id',
    'undoes',
    'undone_by',
    'first_start',
  ],
  ...['error', 'created', 'ended'],
];

/** The change with this id, or null. */
export async function changeById(db: Db, id: string): Promise<ChangeRow | null> {
  const [row] = await db<ChangeRow[]>`select ${db(columns)} from server_changes where id = ${id}`;
  return row ?? null;
}

/** The change of a server that is in progress, or null. */
export async function openChange(db: Db, server_id: string): Promise<ChangeRow | null> {
  const [row] = await db<ChangeRow[]>`
    select ${db(columns)} from server_changes where server_id = ${server_id} and ended is null`;
  return row ?? null;
}

/** Whether content or loader of a server are being changed. A server that only starts again afterwards is free. */
export async function isChanging(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`
    select 1 from server_changes where server_id = ${server_id} and ended is null and step <> 'starting'`;
  return row !== undefined;
}

/** Servers with a change in progress; for what no notification told. */
export async function serversWithChanges(db: Db, limit: number): Promise<string[]> {
  const found = await db<{ server_id: string }[]>`
    select server_id from server_changes where ended is null order by created limit ${limit}`;
  return found.map(({ server_id }) => server_id);
}
