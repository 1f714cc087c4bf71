import type { Command } from 'commander';
import { sleep_minutes } from '#db/hosting/servers/sleep/rules.ts';
import type { SleepView } from '#db/hosting/servers/sleep/view.ts';
import type { Asking } from './asking.ts';
import { positive, print } from './print.ts';

interface SleepOptions {
  after?: number;
  off?: boolean;
  text?: string;
  json?: boolean;
}

/** `server sleep`: whether a server stops while nobody plays. */
export function sleepCommands(server: Command, asking: Asking): void {
  const sleep = server
    .command('sleep')
    .description(
      'Shows and changes whether a server stops while nobody plays and starts when somebody joins.',
    );
  sleep
    .command('show')
    .description('Prints when a server sleeps, and what a ping shows then.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) =>
        printSleep((await plane.request('sleep.show', { server_id: id })).sleep, json),
      ),
    );
  sleep
    .command('set')
    .description('Changes what is given and keeps the rest; switches sleep on unless --off is given.')
    .argument('<id>', 'ID of the server')
    .option(
      '--after <minutes>',
      `minutes without a player (${sleep_minutes.least} to ${sleep_minutes.most})`,
      positive,
    )
    .option('--text <text>', 'what a ping shows, up to two lines with \\n between; "" for the usual text')
    .option('--off', 'never sleeps')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { after, off, text, json }: SleepOptions) => {
        const { sleep: now } = await plane.request('sleep.show', { server_id: id });
        const { sleep: view } = await plane.request('sleep.change', {
          server_id: id,
          after_minutes: off ? null : (after ?? now.after_minutes ?? now.minutes_usual),
          motd: text?.replaceAll('\\n', '\n') ?? now.motd,
        });
        printSleep(view, json);
      }),
    );
}

function printSleep(view: SleepView, json = false): void {
  if (json) console.log(JSON.stringify(view, null, 2));
  else
    print([
      {
        name: 'sleeps',
        value: view.after_minutes === null ? 'never' : `after ${view.after_minutes} minutes without a player`,
      },
      { name: 'text', value: view.motd.replaceAll('\n', ' / ') },
      ...(view.supported === false
        ? [{ name: 'note', value: 'the agent of its node is too old: it does not sleep before an update' }]
        : []),
    ]);
}
