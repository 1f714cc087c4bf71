import { type Command, Option } from 'commander';
import { messages } from '#content/messages.ts';
import { type LogLifetime, logLifetimeIds } from '#db/hosting/servers/logs/rules.ts';
import type { SharedLogView } from '#db/hosting/servers/logs/view.ts';
import type { Asking } from './asking.ts';
import { print } from './print.ts';

const { t } = messages('en-US');

/** `server crash`: what its logs say is wrong. */
export function crashCommands(server: Command, asking: Asking): void {
  server
    .command('crash')
    .description('Says what may be wrong with a server by its newest crash report and log, read here.')
    .argument('<id>', 'ID of the server')
    .argument('[path]', 'one log or report to read instead, such as logs/latest.log')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, path: string | undefined, { json }: { json?: boolean }) => {
        const { findings, read } = await plane.request('crash.analyse', {
          server_id: id,
          ...(path !== undefined && { path }),
        });
        if (json) console.log(JSON.stringify({ findings, read }, null, 2));
        else if (findings.length === 0) console.log(t('crash_help.nothing'));
        for (const { cause, what, path: from, line } of json ? [] : findings) {
          console.log(
            `${t(`crash_help.cause_${cause}`)}${what && `: ${what}`} (${from ?? 'console'}, line ${line})`,
          );
          console.log(`  ${t(`crash_help.do_${cause}`)}`);
        }
      }),
    );
}

/** `server log`: logs that are shared by an address that nobody can guess. `url` is that of Cairn. */
export function logCommands(server: Command, asking: Asking, url: () => string): void {
  const log = server
    .command('log')
    .description('Shares logs of a server without secrets and addresses, until a chosen end.');
  const withAddress = (one: SharedLogView) => ({ ...one, address: new URL(one.path, url()).href });
  log
    .command('share')
    .description('Shares a log and prints its address.')
    .argument('<id>', 'ID of the server')
    .argument('[path]', 'the log (default: the newest crash report, else the log, else the console)')
    .addOption(new Option('--for <time>', 'how long').choices(logLifetimeIds).default('1d'))
    .option('--json', 'as JSON')
    .action(
      asking(
        async (
          plane,
          id: string,
          path: string | undefined,
          { for: lifetime, json }: { for: LogLifetime; json?: boolean },
        ) => {
          const shared = await plane.request(
            'logs.share',
            { server_id: id, lifetime, ...(path !== undefined && { path }) },
            { once: true },
          );
          const one = withAddress(shared.log);
          console.log(json ? JSON.stringify(one, null, 2) : one.address);
        },
      ),
    );
  log
    .command('list')
    .description('Lists the shared logs of a server.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const logs = (await plane.request('logs.list', { server_id: id })).logs.map(withAddress);
        if (json) console.log(JSON.stringify(logs, null, 2));
        else
          print(
            logs.map(({ id: log_id, name, expires, by }) => ({
              log_id,
              name: name || 'console',
              expires,
              by: by ?? '',
            })),
          );
      }),
    );
  log
    .command('remove')
    .description('Removes a shared log at once: yours, and as the owner of the server any.')
    .argument('<id>', 'ID of the server')
    .argument('<log>', 'ID of the log')
    .action(
      asking(async (plane, id: string, log_id: string) => {
        await plane.request('logs.remove', { server_id: id, log_id });
      }),
    );
}
