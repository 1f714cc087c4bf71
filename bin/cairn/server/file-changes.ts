import { type ConflictChoice, conflictChoices } from '#control/protocol/files.ts';
import { UserError } from '../../user-error.ts';
import { print, printable, show } from '../print.ts';
import { cancelFileOperation, runFileOperation } from './file-operation.ts';
import { noteMore } from './files.ts';
import {
  choice,
  fixed,
  flag,
  json,
  op_id,
  parsed,
  server as server_id,
  text,
  usually,
} from './parameters.ts';
import { type Row, row } from './row.ts';

/** Exit code of a dry run that found files which exist already. */
const conflicts_exit_code = 2;

/** What is done when there is a file already; the first choice without the option. */
export const conflictOption = <C extends ConflictChoice>(choices: readonly [C, ...C[]]) =>
  usually(choice('--on-conflict <choice>', 'when there is one already', choices), choices[0]);

const pair = {
  server_id,
  from: text('<from>', 'what'),
  to: text('<to>', 'the new path, with the name'),
  on_conflict: conflictOption(conflictChoices),
  json,
  op_id,
};

/** What changes something on the server itself. */
export const fileChangeRows: Row[] = [
  row('files mkdir', 'Creates a folder.', {
    server_id,
    path: text('<path>', 'where'),
    type: fixed('directory'),
    op_id,
  }).operates('files.create'),
  row('files touch', 'Creates an empty file.', {
    server_id,
    path: text('<path>', 'where'),
    type: fixed('file'),
    op_id,
  }).operates('files.create'),
  row('files mv', 'Moves or renames a file or folder; prints where it is.', pair)
    .operates('files.move', ({ from, to, ...message }) => ({ ...message, moves: [{ from, to }] }))
    .shows('paths', placeOrSkipped),
  row('files cp', 'Copies a file or folder; prints where the copy is.', pair)
    .operates('files.copy', ({ from, to, ...message }) => ({ ...message, copies: [{ from, to }] }))
    .shows('paths', placeOrSkipped),
  row('files rm', 'Moves files and folders to the trash; prints what `restore` takes.', {
    server_id,
    paths: text('<path...>', 'what'),
    json,
    op_id,
  })
    .operates('files.delete')
    .shows('trash', (trash) => trash.map(({ trash_id, path }) => ({ trash_id, path: printable(path) }))),
  row('files trash', 'Lists the trash, newest first.', {
    server_id,
    from: usually(parsed('--from <count>', 'items to leave out', Number), 0),
    json,
  })
    .asks('files.trash', (message) => ({ ...message, limit: 500 }))
    .prints(async ({ items, total }, { from, json }) => {
      await show(items, json, () =>
        items.map(({ trash_id, path, type, bytes, deleted, expires }) => ({
          ...{ trash_id, type, bytes },
          ...{ deleted: new Date(deleted).toISOString(), expires: new Date(expires).toISOString() },
          path: printable(path),
        })),
      );
      noteMore(total, from + items.length);
    }),
  row('files restore', 'Moves items of the trash back; prints where they are.', {
    server_id,
    trash_ids: text('<trash-id...>', 'as `trash` lists them'),
    json,
    op_id,
  })
    .operates('files.restore')
    .lists('paths', (paths) => paths.map(printable)),
  row('files purge', 'Removes items of the trash for good. This cannot be undone.', {
    server_id,
    ids: text('[trash-id...]', 'as `trash` lists them'),
    all: flag('--all', 'everything in the trash'),
    json,
    op_id,
  })
    .operates('files.purge', ({ ids, all, ...message }) => {
      if (all === ids.length > 0) throw new UserError('Name items of the trash, or use --all.');
      return { ...message, trash_ids: all ? null : ids };
    })
    .shows(
      (removed) => [removed],
      (rows) => rows,
    ),
  row('files unpack', 'Unpacks a zip, tar, gz or zst file.', {
    server_id,
    path: text('<path>', 'the archive'),
    folder: text('<into>', 'the folder; "." is the folder of the server'),
    on_conflict: conflictOption(['skip', 'replace', 'rename']),
    dry_run: flag(
      '--dry-run',
      `only print what it would do; exit code ${conflicts_exit_code} when files exist already`,
    ),
    json,
    op_id,
  }).runs(async (plane, { server_id, path, folder, on_conflict, dry_run, json, op_id }) => {
    const into = folder === '.' ? '' : folder;
    if (!dry_run) {
      const message = { server_id, op_id, path, into, on_conflict };
      return print([await runFileOperation(plane, 'files.unpack', message)], json);
    }
    const { ok: _, ...plan } = await plane.request('files.unpack_plan', { server_id, path, into });
    const { conflicts, more_conflicts, files, bytes, unclear } = plan;
    const existing = conflicts.length + more_conflicts;
    await show(plan, json, () => [{ files, bytes, existing, ...(unclear > 0 && { unclear }) }]);
    if (existing === 0) return;
    const named = conflicts.slice(0, 10).map(printable).join(', ');
    throw new UserError(`${existing} files exist already: ${named}`, conflicts_exit_code);
  }),
  row('files fetch', 'Fetches a public address into a file; prints where it is.', {
    server_id,
    url: text('<url>', 'a public http or https address'),
    path: text('<path>', 'where, with the name'),
    on_conflict: conflictOption(conflictChoices),
    json,
    op_id,
  })
    .operates('files.fetch')
    .shows(({ path }) => printable(path)),
  row('files cancel', 'Cancels a copy, an unpacking or a fetch that goes on; prints how it ended.', {
    server_id,
    op_id: text('<operation>', 'its ID, as its command prints it'),
  }).runs(async (plane, target) => console.log(await cancelFileOperation(plane, target))),
];

function placeOrSkipped([path]: ReadonlyArray<string | null>): string {
  return path ? printable(path) : 'skipped';
}
