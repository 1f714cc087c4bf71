import { type Command, InvalidArgumentError } from 'commander';
import type { PropertyView } from '#db/hosting/servers/properties/view.ts';
import { flagsOf } from '#db/hosting/servers/startup/rules.ts';
import type { StartupView } from '#db/hosting/servers/startup/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { positive, print } from './print.ts';

/** `server properties`: the values of `server.properties`. */
export function propertiesCommands(server: Command, asking: Asking): void {
  const properties = server
    .command('properties')
    .description('Shows and changes server.properties; comments, order and unknown keys stay.');
  properties
    .command('list')
    .description('Prints all keys with their values.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const answer = await plane.request('properties.show', { server_id: id });
        if (json) console.log(JSON.stringify(answer, null, 2));
        else print(answer.properties.map(lineOf));
      }),
    );
  properties
    .command('get')
    .description('Prints the value of one key.')
    .argument('<id>', 'ID of the server')
    .argument('<key>', 'such as max-players')
    .action(
      asking(async (plane, id: string, key: string) => {
        const found = (await plane.request('properties.show', { server_id: id })).properties.find(
          (one) => one.key === key,
        );
        const value = found?.value ?? found?.default ?? null;
        if (value === null) throw new UserError(`There is no key ${key}.`);
        console.log(value);
      }),
    );
  properties
    .command('set')
    .description('Changes values; a running server takes them with its next start.')
    .argument('<id>', 'ID of the server')
    .argument('<values...>', 'key=value, such as max-players=10')
    .option('--json', 'as JSON: all keys afterwards')
    .action(
      asking(async (plane, id: string, given: string[], { json }: { json?: boolean }) => {
        const values = Object.fromEntries(given.map(pairOf));
        const changed = await twiceAtMost(async () => {
          const { etag } = await plane.request('properties.show', { server_id: id });
          return await plane.request('properties.change', { server_id: id, etag, values });
        });
        if (json) console.log(JSON.stringify(changed, null, 2));
        else print(changed.properties.filter(({ key }) => Object.hasOwn(values, key)).map(lineOf));
      }),
    );
}

/** The game may write the file between reading and writing it: then once more. */
async function twiceAtMost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'file_changed') throw error;
    return await work();
  }
}

const lineOf = ({ key, value, default: usual, problem, repeated }: PropertyView) => ({
  key,
  value: value ?? `(default) ${usual ?? ''}`,
  note: [problem && `invalid: ${problem}`, repeated && 'several lines, the last one counts']
    .filter(Boolean)
    .join('; '),
});

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UserError(`${text} is not key=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** `server startup`: Java, memory and flags. */
export function startupCommands(server: Command, asking: Asking): void {
  const startup = server
    .command('startup')
    .description('Shows and changes how a server is started, from its next start on.');
  startup
    .command('show')
    .description('Prints the command line and what may be chosen.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) =>
        printStartup((await plane.request('startup.show', { server_id: id })).startup, json),
      ),
    );
  startup
    .command('set')
    .description('Changes what is given and keeps the rest.')
    .argument('<id>', 'ID of the server')
    .option('--java <version>', 'Java version, or default', orDefault)
    .option('--memory <mb>', 'memory of the game in MB, or default', orDefault)
    .option('--flags <flags>', 'flags for Java, separated by spaces; "" for none')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, given: StartupOptions) => {
        const { startup: now } = await plane.request('startup.show', { server_id: id });
        const { startup: view } = await plane.request('startup.change', {
          server_id: id,
          java: chosen(given.java, now.java),
          heap_mb: chosen(given.memory, now.heap_mb),
          jvm_flags: given.flags === undefined ? now.jvm_flags : flagsOf(given.flags),
        });
        printStartup(view, given.json);
      }),
    );
  startup
    .command('reset')
    .description('Restores the defaults.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const defaults = { server_id: id, java: null, heap_mb: null, jvm_flags: [] };
        printStartup((await plane.request('startup.change', defaults)).startup, json);
      }),
    );
}

interface StartupOptions {
  java?: number | 'default';
  memory?: number | 'default';
  flags?: string;
  json?: boolean;
}
const chosen = (given: number | 'default' | undefined, now: number | null): number | null =>
  given === undefined ? now : given === 'default' ? null : given;

function orDefault(text: string): number | 'default' {
  if (text === 'default') return text;
  try {
    return positive(text);
  } catch {
    throw new InvalidArgumentError('It must be a whole number above zero, or default.');
  }
}

function printStartup(view: StartupView, json = false): void {
  if (json) console.log(JSON.stringify(view, null, 2));
  else
    print([
      { name: 'command', value: view.command },
      { name: 'java', value: `${view.java ?? 'default'} (possible: ${view.java_choices.join(', ')})` },
      {
        name: 'memory',
        value: `${view.heap_mb ?? 'default'} (possible: ${view.heap_least_mb} to ${view.heap_most_mb} MB)`,
      },
      { name: 'flags', value: view.jvm_flags.join(' ') },
    ]);
}
