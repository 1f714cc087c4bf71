import type { NewEvent } from '../../../platform/events/catalogue.ts';

/** What the activity says of files: what was done, and the first of them. */

/** Paths that one event names. */
export const named_paths = 5;

/** The event that somebody did something with these files; `count` is how many there were. */
export const filesEvent = (
  by: { server_id: string; actor_id: string },
  action: string,
  paths: readonly string[],
  count: number = paths.length,
): NewEvent => ({
  ...by,
  name: 'server.files_changed',
  data: { action, paths: paths.slice(0, named_paths).map((path) => path.slice(0, 300)), count },
});

interface Ended {
  server_id: string;
  actor_id: string | null;
  kind: string;
  args: Record<string, unknown>;
}

const actions = ['create', 'move', 'copy', 'delete', 'restore', 'purge', 'unpack', 'fetch'];

/** The event of an operation on files that was done for a user; null for any other. */
export function operationEvent({ server_id, actor_id, kind, args }: Ended): NewEvent | null {
  const action = actions.find((one) => kind === `file_${one}`);
  if (!action || actor_id === null) return null;
  const { path, paths, moves, copies, trash_ids } = args;
  const listed = [moves, copies].flatMap((pairs) =>
    Array.isArray(pairs) ? pairs.map((pair: { from?: unknown }) => String(pair.from)) : [],
  );
  const named = [
    ...(typeof path === 'string' ? [path] : []),
    ...(Array.isArray(paths) ? paths.map(String) : []),
    ...listed,
  ];
  const count = Array.isArray(trash_ids) ? trash_ids.length : named.length;
  return filesEvent({ server_id, actor_id }, action, named, count);
}
