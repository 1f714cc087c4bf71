import { Argument, type Command, Option } from 'commander';
import { localUrl, withControlPlane } from './control-client.ts';
import type { Takes } from './server/parameters.ts';
import type { Row } from './server/row.ts';
import { groups, rows } from './server/table.ts';

interface Options {
  connect?: typeof withControlPlane;
  table?: readonly Row[];
}

/** `server`: game servers of the running product, by the same rules as their panel. Source: decisions §4.2. */
export function serverCommands(
  program: Command,
  { connect = withControlPlane, table = rows }: Options = {},
): void {
  const server = program
    .command('server')
    .description('Manages game servers of a running Cairn, as the user of the token.')
    .option('--url <url>', 'address of Cairn (default: on this machine)')
    .addOption(
      new Option('--token <token>', 'a personal access token with the SERVER scopes').env('CAIRN_TOKEN'),
    );
  const parents = new Map([['', server]]);
  /** The command below which those are that begin with these words. */
  const parentOf = (words: readonly string[]): Command => {
    const path = words.join(' ');
    const parent =
      parents.get(path) ??
      parentOf(words.slice(0, -1))
        .command(words.at(-1) ?? '')
        .description(groups[path] ?? '');
    parents.set(path, parent);
    return parent;
  };
  for (const row of table) {
    const words = row.path.split(' ');
    const command = parentOf(words.slice(0, -1))
      .command(words.at(-1) ?? '')
      .description(row.help);
    for (const { entry } of Object.values(row.takes)) {
      if (entry instanceof Argument) command.addArgument(entry);
      else if (entry) command.addOption(entry);
    }
    command.action(async () => {
      // wherever they are on the command line
      const { url = localUrl(), token } = server.opts<{ url?: string; token?: string }>();
      await connect({ url, token, as: row.as }, async (plane) => {
        await row.run(plane as never, valuesOf(row.takes, command) as never);
      });
    });
  }
}

/** The values that a command line gives, by their names. */
function valuesOf(takes: Takes, command: Command): Record<string, unknown> {
  const given: unknown[] = [...command.processedArgs];
  const options = command.opts();
  return Object.fromEntries(
    Object.entries(takes).map(([name, { entry, read }]) => [
      name,
      read(entry instanceof Argument ? given.shift() : entry && options[entry.attributeName()]),
    ]),
  );
}
