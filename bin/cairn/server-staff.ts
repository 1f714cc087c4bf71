import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { StaffRequests } from '#control/protocol/staff.ts';
import { staffSuspensions } from '#db/hosting/servers/rules.ts';
import { pageSizes, type SearchedState, searchedStates } from '#db/hosting/servers/staff/rules.ts';
import type { ControlClient } from './control-client.ts';
import { positive, print } from './print.ts';
import { serverLine } from './server-line.ts';

/** Gives `work` the control plane, for administrators. */
type AsStaff = <A extends unknown[]>(
  work: (plane: ControlClient<StaffRequests>, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>;

interface Search {
  state?: SearchedState;
  node?: string;
  after?: string;
  limit: number;
  json?: boolean;
}

/** What administrators do with servers of others: `server find`, `resize`, `move`, `moves`, `suspend` and `resume`. */
export function staffCommands(server: Command, asStaff: AsStaff): void {
  server
    .command('find')
    .description('Finds servers of everybody, newest first. For administrators.')
    .argument('[text]', 'part of a name, of the name of an owner or of an address, or a whole ID', '')
    .addOption(new Option('--state <state>', 'only those in this state').choices(searchedStates))
    .option('--node <node>', 'only those on the node with this ID')
    .option('--after <place>', 'goes on after this place, as the page before names it')
    .option('--limit <count>', `servers on a page, up to ${pageSizes.most}`, positive, pageSizes.usual)
    .option('--json', 'as JSON')
    .action(
      asStaff(async (plane, query: string, { state, node, after, limit, json }: Search) => {
        const found = await plane.request('server.search', {
          ...{ query, limit },
          ...(state === undefined ? {} : { state }),
          ...(node === undefined ? {} : { node_id: node }),
          ...(after === undefined ? {} : { after }),
        });
        if (json) {
          const { servers, count, next } = found;
          return console.log(JSON.stringify({ servers, count, next }, null, 2));
        }
        print(
          found.servers.map(({ server: view, owner, move_step }) => ({
            ...{ ...serverLine(view), owner: owner.username, moving: move_step ?? '' },
          })),
        );
        if (found.next !== null) console.error(`There are more: --after ${found.next}`);
      }),
    );
  server
    .command('resize')
    .description(
      'Resizes a server on its node, also while it is running. For administrators; its price stays.',
    )
    .argument('<id>', 'ID of the server')
    .requiredOption('--ram <gb>', 'memory in GB', positive)
    .option('--cpu <cores>', 'cores, such as 2 or 1.5 (default: those of a plan with this memory)', cores)
    .option('--disk <gb>', 'storage in GB (default: that of the plan, but never less than now)', positive)
    .action(
      asStaff(async (plane, id: string, { ram, cpu, disk }: { ram: number; cpu?: number; disk?: number }) => {
        await plane.request('server.resize', {
          ...{ server_id: id, ram_gb: ram },
          ...(cpu === undefined ? {} : { cpu }),
          ...(disk === undefined ? {} : { disk_gb: disk }),
        });
      }),
    );
  server
    .command('move')
    .description(
      'Moves a server to another node: it is off meanwhile, and stays where it is when that fails. For administrators.',
    )
    .argument('<id>', 'ID of the server')
    .option('--to <node>', 'ID of the node (default: the emptiest one of its region)')
    .option('--drop-backups', 'backups that only its node has may be lost')
    .option('--cancel', 'cancel a move that has not left its node yet')
    .action(
      asStaff(async (plane, id: string, wanted: { to?: string; dropBackups?: boolean; cancel?: boolean }) => {
        if (wanted.cancel) return void (await plane.request('server.cancel_move', { server_id: id }));
        const where = { node_id: wanted.to ?? null, drop_backups: wanted.dropBackups ?? false };
        await plane.request('server.move', { server_id: id, op_id: randomUUID(), ...where });
      }),
    );
  server
    .command('moves')
    .description('Lists moves of servers that go on, and the newest that ended. For administrators.')
    .option('--json', 'as JSON')
    .action(
      asStaff(async (plane, { json }: { json?: boolean }) => {
        const { moves } = await plane.request('move.list', {});
        print(moves, json);
      }),
    );
  server
    .command('suspend')
    .description('Suspends a server until `resume`: it is stopped, its data is kept. For administrators.')
    .argument('<id>', 'ID of the server')
    .addOption(
      new Option('--reason <reason>', 'reason shown to the owner')
        .choices(staffSuspensions)
        .makeOptionMandatory(),
    )
    .action(
      asStaff(async (plane, id: string, { reason }: { reason: (typeof staffSuspensions)[number] }) => {
        await plane.request('server.suspend', { server_id: id, reason });
      }),
    );
  server
    .command('resume')
    .description('Ends a suspension by staff: the server is off and can be started. For administrators.')
    .argument('<id>', 'ID of the server')
    .action(
      asStaff(async (plane, id: string) => {
        await plane.request('server.resume', { server_id: id });
      }),
    );
}

/** A number of cores. */
function cores(text: string): number {
  const number = Number(text);
  if (!(number >= 0.1 && number <= 256))
    throw new InvalidArgumentError('It must be a number from 0.1 to 256.');
  return number;
}
