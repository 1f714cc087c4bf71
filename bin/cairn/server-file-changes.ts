import type { ConflictChoice } from '#control/protocol/files.ts';
import { UserError } from '../user-error.ts';
import { conflictOption, type FileCommands, printable } from './file-commands.ts';
import { cancelFileOperation, runFileOperation } from './file-operation.ts';
import { print } from './print.ts';

interface Shown {
  json?: boolean;
}

/** Exit code of a dry run that found files which exist already. */
const conflicts_exit_code = 2;

/** The commands of `server files` that change something on the server itself. */
export function changeCommands({ verb, asking }: FileCommands): void {
  for (const [name, type] of [
    ['mkdir', 'directory'],
    ['touch', 'file'],
  ] as const)
    verb(name, type === 'file' ? 'Creates an empty file.' : 'Creates a folder.')
      .argument('<path>', 'where')
      .action(
        asking(async (plane, server_id: string, path: string) => {
          await runFileOperation(plane, 'file_create', server_id, { path, type });
        }),
      );
  for (const [name, what] of [
    ['mv', 'Moves or renames a file or folder; prints where it is.'],
    ['cp', 'Copies a file or folder; prints where the copy is.'],
  ] as const)
    verb(name, what)
      .argument('<from>', 'what')
      .argument('<to>', 'the new path, with the name')
      .addOption(conflictOption())
      .option('--json', 'as JSON')
      .action(
        asking(
          async (
            plane,
            server_id: string,
            from: string,
            to: string,
            { onConflict: on_conflict, json }: Shown & { onConflict: ConflictChoice },
          ) => {
            const pair = [{ from, to }];
            const { paths } =
              name === 'mv'
                ? await runFileOperation(plane, 'file_move', server_id, { moves: pair, on_conflict })
                : await runFileOperation(plane, 'file_copy', server_id, { copies: pair, on_conflict });
            if (json) console.log(JSON.stringify(paths, null, 2));
            else console.log(paths[0] ? printable(paths[0]) : 'skipped');
          },
        ),
      );
  verb('rm', 'Moves files and folders to the trash; prints what `restore` takes.')
    .argument('<path...>', 'what')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, paths: string[], { json }: Shown) => {
        const { trash } = await runFileOperation(plane, 'file_delete', server_id, { paths });
        print(json ? trash : trash.map(({ trash_id, path }) => ({ trash_id, path: printable(path) })), json);
      }),
    );
  verb('trash', 'Lists the trash, newest first.')
    .option('--from <count>', 'items to leave out', Number, 0)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { from, json }: Shown & { from: number }) => {
        const { items, total } = await plane.request('files.trash', { server_id, from, limit: 500 });
        const lines = items.map(({ trash_id, path, type, bytes, deleted, expires }) => ({
          ...{ trash_id, type, bytes },
          ...{ deleted: new Date(deleted).toISOString(), expires: new Date(expires).toISOString() },
          path: printable(path),
        }));
        print(json ? items : lines, json);
        const left = total - from - items.length;
        if (left > 0) console.error(`${left} more: use --from ${from + items.length}.`);
      }),
    );
  verb('restore', 'Moves items of the trash back; prints where they are.')
    .argument('<trash-id...>', 'as `trash` lists them')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, trash_ids: string[], { json }: Shown) => {
        const { paths } = await runFileOperation(plane, 'file_restore', server_id, { trash_ids });
        if (json) console.log(JSON.stringify(paths, null, 2));
        else for (const path of paths) console.log(printable(path));
      }),
    );
  verb('purge', 'Removes items of the trash for good. This cannot be undone.')
    .argument('[trash-id...]', 'as `trash` lists them')
    .option('--all', 'everything in the trash')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, ids: string[], { all, json }: Shown & { all?: boolean }) => {
        if ((all === true) === ids.length > 0) throw new UserError('Name items of the trash, or use --all.');
        const args = { trash_ids: all ? null : ids };
        const removed = await runFileOperation(plane, 'file_purge', server_id, args);
        print([removed], json);
      }),
    );
  verb('unpack', 'Unpacks a zip, tar, gz or zst file.')
    .argument('<path>', 'the archive')
    .argument('<into>', 'the folder; "." is the folder of the server')
    .addOption(conflictOption(['skip', 'replace', 'rename']))
    .option(
      '--dry-run',
      `only print what it would do; exit code ${conflicts_exit_code} when files exist already`,
    )
    .option('--json', 'as JSON')
    .action(
      asking(
        async (
          plane,
          server_id: string,
          path: string,
          folder: string,
          {
            onConflict,
            dryRun,
            json,
          }: Shown & { onConflict: 'skip' | 'replace' | 'rename'; dryRun?: boolean },
        ) => {
          const into = folder === '.' ? '' : folder;
          if (!dryRun) {
            const args = { path, into, on_conflict: onConflict };
            print([await runFileOperation(plane, 'file_unpack', server_id, args)], json);
            return;
          }
          const { ok: _, ...plan } = await plane.request('files.unpack_plan', { server_id, path, into });
          const { conflicts, more_conflicts, files, bytes, unclear } = plan;
          const existing = conflicts.length + more_conflicts;
          if (json) console.log(JSON.stringify(plan, null, 2));
          else print([{ files, bytes, existing, ...(unclear > 0 && { unclear }) }]);
          if (existing === 0) return;
          const named = conflicts.slice(0, 10).map(printable).join(', ');
          throw new UserError(`${existing} files exist already: ${named}`, conflicts_exit_code);
        },
      ),
    );
  verb('fetch', 'Fetches a public address into a file; prints where it is.')
    .argument('<url>', 'a public http or https address')
    .argument('<path>', 'where, with the name')
    .addOption(conflictOption())
    .option('--json', 'as JSON')
    .action(
      asking(
        async (
          plane,
          server_id: string,
          url: string,
          path: string,
          { onConflict: on_conflict, json }: Shown & { onConflict: ConflictChoice },
        ) => {
          const args = { url, path, on_conflict };
          const fetched = await runFileOperation(plane, 'file_fetch', server_id, args);
          if (json) console.log(JSON.stringify(fetched, null, 2));
          else console.log(printable(fetched.path));
        },
      ),
    );
  verb('cancel', 'Cancels a copy, an unpacking or a fetch that goes on; prints how it ended.')
    .argument('<operation>', 'its ID, as its command prints it')
    .action(
      asking(async (plane, server_id: string, op_id: string) => {
        console.log(await cancelFileOperation(plane, { server_id, op_id }));
      }),
    );
}
