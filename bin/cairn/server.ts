import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { StaffRequests } from '#control/protocol/staff.ts';
import { kindIds } from '#db/hosting/server-kinds/rules.ts';
import { powerActions } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import { backupCommands } from './backup.ts';
import { type ControlClient, localUrl, withControlPlane } from './control-client.ts';
import { printLogs } from './logs.ts';
import { positive, print } from './print.ts';
import { activityCommand } from './server-activity.ts';
import { contentCommands } from './server-content.ts';
import { crashCommands, logCommands } from './server-crash.ts';
import { exportCommand } from './server-export.ts';
import { alertsCommands, figuresCommand } from './server-figures.ts';
import { filesCommands } from './server-files.ts';
import { generalCommands } from './server-general.ts';
import { serverLine } from './server-line.ts';
import { loaderCommands } from './server-loader.ts';
import { domainCommands, portsCommands } from './server-network.ts';
import { propertiesCommands, startupCommands } from './server-options.ts';
import { peopleCommands } from './server-people.ts';
import { planCommands } from './server-plan.ts';
import { playersCommands } from './server-players.ts';
import { scheduleCommands } from './server-schedules.ts';
import { sftpCommands } from './server-sftp.ts';
import { sleepCommands } from './server-sleep.ts';
import { staffCommands } from './server-staff.ts';

/** `server`: game servers of the running product, by the same rules as their panel. Source: decisions §4.2. */
export function serverCommands(program: Command): void {
  const server = program
    .command('server')
    .description('Manages game servers of a running Cairn, as the user of the token.')
    .option('--url <url>', 'address of Cairn (default: on this machine)')
    .addOption(
      new Option('--token <token>', 'a personal access token with the SERVER scopes').env('CAIRN_TOKEN'),
    );
  /** Runs `work` with the values of --url and --token, wherever they are on the command line. */
  const asking =
    <A extends unknown[]>(work: (plane: ControlClient, ...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      const { url = localUrl(), token } = server.opts<{ url?: string; token?: string }>();
      await withControlPlane({ url, token }, (plane) => work(plane, ...args));
    };
  /** The same for administrator commands. */
  const asStaff =
    <A extends unknown[]>(work: (plane: ControlClient<StaffRequests>, ...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      const { url = localUrl(), token } = server.opts<{ url?: string; token?: string }>();
      await withControlPlane<void, StaffRequests>({ url, token, as: 'staff' }, (plane) =>
        work(plane, ...args),
      );
    };

  server
    .command('create')
    .description(
      'Orders a server and prints its ID at once; setup continues, and the server stays off. By ordering, you accept the EULA of the game.',
    )
    .requiredOption('--name <name>', '1 to 48 characters')
    .requiredOption('--plan <plan>', 'small, medium, large or custom')
    .option('--ram <gb>', 'memory in GB, with the plan custom', positive)
    .addOption(new Option('--kind <kind>', 'kind of server').choices(kindIds).default(kindIds[0]))
    .option('--region <region>', 'region (default: one with capacity)')
    .option('--game-version <version>', 'game version (default: the newest one of the kind)')
    .action(
      asking(async (plane, { name, plan, ram, kind, region, gameVersion }) => {
        const { id } = await plane.request('server.create', {
          ...{ op_id: randomUUID(), name, plan, kind, terms_accepted: true },
          ...(ram === undefined ? {} : { ram_gb: ram }),
          ...(region === undefined ? {} : { region }),
          ...(gameVersion === undefined ? {} : { game_version: gameVersion }),
        });
        console.log(id);
      }),
    );
  server
    .command('list')
    .description('Lists your servers and those that others share with you.')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, { json }) => {
        const { servers, shared } = await plane.request('server.list', {});
        const there = servers.filter(isThere);
        const owner = ({ id }: ServerView) => shared[id]?.owner ?? null;
        if (json)
          print(
            there.map((one) => ({ ...one, shared_by: owner(one) })),
            json,
          );
        else print(there.map((one) => ({ ...serverLine(one), shared_by: owner(one) ?? '' })));
      }),
    );
  server
    .command('show')
    .description('Prints the state of a server.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const { server: view } = await plane.request('server.show', { server_id: id });
        if (!isThere(view)) throw new Refused('server_not_found');
        if (json) console.log(JSON.stringify(view, null, 2));
        else print([serverLine(view)]);
      }),
    );
  server
    .command('power')
    .description('Starts, stops, restarts or kills a server; returns when the request is accepted.')
    .argument('<id>', 'ID of the server')
    .argument('<action>', powerActions.join(', '))
    .action(
      asking(async (plane, id: string, action: string) => {
        const known = powerActions.find((one) => one === action);
        if (!known) throw new UserError(`${action} is not one of ${powerActions.join(', ')}.`);
        await plane.request('server.power', { server_id: id, op_id: randomUUID(), action: known });
      }),
    );
  server
    .command('command')
    .description('Sends a command to the console, at most once.')
    .argument('<id>', 'ID of the server')
    .argument('<text...>', 'the command')
    .action(
      asking(async (plane, id: string, text: string[]) => {
        await plane.request('server.command', { server_id: id, text: text.join(' ') }, { once: true });
      }),
    );
  server
    .command('logs')
    .description('Prints lines of the console; missing lines are reported on standard error.')
    .argument('<id>', 'ID of the server')
    .option('--lines <count>', 'number of last lines', positive, 100)
    .option('--follow', 'follow new lines')
    .action(
      asking(async (plane, id: string, { lines, follow }: { lines: number; follow?: boolean }) =>
        printLogs(plane, { server_id: id, lines, follow: follow ?? false }),
      ),
    );
  backupCommands(server, asking, () => server.opts<{ url?: string }>().url ?? localUrl());
  exportCommand(server, asking, () => server.opts<{ url?: string }>().url ?? localUrl());
  generalCommands(server, asking, asStaff);
  loaderCommands(server, asking);
  contentCommands(server, asking);
  sftpCommands(server, asking);
  propertiesCommands(server, asking);
  scheduleCommands(server, asking);
  startupCommands(server, asking);
  sleepCommands(server, asking);
  planCommands(server, asking);
  portsCommands(server, asking);
  domainCommands(server, asking);
  playersCommands(server, asking);
  crashCommands(server, asking);
  logCommands(server, asking, () => server.opts<{ url?: string }>().url ?? localUrl());
  figuresCommand(server, asking);
  alertsCommands(server, asking);
  peopleCommands(server, asking);
  activityCommand(server, asking);
  server
    .command('delete')
    .description('Deletes a server with all its data. This cannot be undone.')
    .argument('<id>', 'ID of the server')
    .action(
      asking(async (plane, id: string) => {
        await plane.request('server.delete', { server_id: id });
      }),
    );
  staffCommands(server, asStaff);
  filesCommands(server, asking, () => server.opts<{ url?: string }>().url ?? localUrl());
}

/** A deleted server is hidden, even while its node still cleans up. */
const isThere = ({ lifecycle }: ServerView): boolean => lifecycle !== 'deprovisioning';
