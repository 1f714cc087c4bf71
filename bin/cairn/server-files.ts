import { type Command, Option } from 'commander';
import { type FileEntry, fileSorts } from '#control/protocol/files.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { printable } from './file-commands.ts';
import { positive, print } from './print.ts';
import { changeCommands } from './server-file-changes.ts';
import { transferCommands } from './server-file-transfers.ts';

interface Listed {
  sort: (typeof fileSorts)[number];
  desc?: boolean;
  from: number;
  limit: number;
  json?: boolean;
}

/** `server files`: the files of a game server, by the same rules as its panel. Source: hosting §1e. */
export function filesCommands(server: Command, asking: Asking, url: () => string): void {
  const files = server
    .command('files')
    .description('Manages the files of a game server. Paths begin at its folder, such as world/level.dat.');
  const verb = (name: string, description: string) =>
    files.command(name).description(description).argument('<server>', 'ID of the server');

  verb('ls', 'Lists a folder, folders first.')
    .argument('[path]', 'the folder', '')
    .addOption(new Option('--sort <field>', 'order').choices(fileSorts).default('name'))
    .option('--desc', 'in descending order')
    .option('--from <count>', 'entries to leave out', Number, 0)
    .option('--limit <count>', 'most entries, up to 500', positive, 500)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, path: string, { sort, desc, from, limit, json }: Listed) => {
        const wanted = { sort, descending: desc ?? false, from, limit: Math.min(limit, 500) };
        const { entries, total } = await plane.request('files.list', { server_id, path, ...wanted });
        print(json ? entries : entries.map(line), json);
        const left = total - from - entries.length;
        if (left > 0) console.error(`${left} more: use --from ${from + entries.length}.`);
      }),
    );
  verb('stat', 'Prints what is known of files. The exit code is 1 when one of them does not exist.')
    .argument('<path...>', 'files and folders')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, paths: string[], { json }: { json?: boolean }) => {
        const { entries } = await plane.request('files.stat', { server_id, paths });
        const found = entries.filter((entry) => entry !== null);
        if (json) console.log(JSON.stringify(entries, null, 2));
        else print(found.map(line));
        const missing = paths.filter((_, at) => !entries[at]);
        if (missing.length > 0) throw new UserError(`Not there: ${printable(missing.join(', '))}`);
      }),
    );
  verb('search', 'Finds files by their name, or by lines in them.')
    .argument('<text>', 'what to look for, in any case')
    .option('--path <path>', 'only below this folder', '')
    .option('--contents', 'in the content of text files')
    .option('--json', 'as JSON')
    .action(
      asking(
        async (
          plane,
          server_id: string,
          text: string,
          { path, contents, json }: { path: string; contents?: boolean; json?: boolean },
        ) => {
          const wanted = { server_id, path, text, in: contents ? 'contents' : 'names' } as const;
          const { found, complete } = await plane.request('files.search', { ...wanted, limit: 200 });
          if (json) console.log(JSON.stringify(found, null, 2));
          else
            for (const one of found) {
              const at = one.line ? `:${one.line.number}: ${one.line.text}` : '';
              console.log(printable(`${one.path}${at}`));
            }
          if (!complete) console.error('There may be more: not everything was looked at.');
        },
      ),
    );
  const commands = { verb, asking, url };
  transferCommands(commands);
  changeCommands(commands);
}

const line = ({ name, type, bytes, modified, etag }: FileEntry) => ({
  type,
  bytes,
  modified: new Date(modified).toISOString(),
  etag,
  name: printable(name),
});
