import { InvalidArgumentError } from 'commander';
import { staffSuspensions } from '#db/hosting/servers/rules.ts';
import { pageSizes, searchedStates } from '#db/hosting/servers/staff/rules.ts';
import { positive, print, printJson } from '../print.ts';
import {
  choice,
  flag,
  json,
  op_id,
  otherwise,
  parsed,
  required,
  server_id,
  text,
  usually,
} from './parameters.ts';
import { type Row, staffRow } from './row.ts';
import { serverLine } from './server-line.ts';

/** What administrators do with servers of others. */
export const staffRows: Row[] = [
  staffRow('find', 'Finds servers of everybody, newest first. For administrators.', {
    query: usually(
      text('[text]', 'part of a name, of the name of an owner or of an address, or a whole ID'),
      '',
    ),
    state: choice('--state <state>', 'only those in this state', searchedStates),
    node_id: text('--node <node>', 'only those on the node with this ID'),
    after: text('--after <place>', 'goes on after this place, as the page before names it'),
    limit: usually(
      parsed('--limit <count>', `servers on a page, up to ${pageSizes.most}`, positive),
      pageSizes.usual,
    ),
    json,
  })
    .asks('server.search')
    .prints(({ servers, count, next }, { json }) => {
      if (json) return printJson({ servers, count, next });
      print(
        servers.map(({ server, owner, move_step }) => ({
          ...{ ...serverLine(server), owner: owner.username, moving: move_step ?? '' },
        })),
      );
      if (next !== null) console.error(`There are more: --after ${next}`);
    }),
  staffRow(
    'resize',
    'Resizes a server on its node, also while it is running. For administrators; its price stays.',
    {
      server_id,
      ram_gb: required(parsed('--ram <gb>', 'memory in GB', positive)),
      cpu: parsed(
        '--cpu <cores>',
        'cores, such as 2 or 1.5 (default: those of a plan with this memory)',
        cores,
      ),
      disk_gb: parsed(
        '--disk <gb>',
        'storage in GB (default: that of the plan, but never less than now)',
        positive,
      ),
    },
  ).asks('server.resize'),
  staffRow(
    'move',
    'Moves a server to another node: it is off meanwhile, and stays where it is when that fails. For administrators.',
    {
      server_id,
      node_id: otherwise(
        text('--to <node>', 'ID of the node (default: the emptiest one of its region)'),
        null,
      ),
      drop_backups: flag('--drop-backups', 'backups that only its node has may be lost'),
      cancel: flag('--cancel', 'cancel a move that has not left its node yet'),
      op_id,
    },
  ).runs((plane, { cancel, ...message }) =>
    cancel
      ? plane.request('server.cancel_move', { server_id: message.server_id })
      : plane.request('server.move', message),
  ),
  staffRow('moves', 'Lists moves of servers that go on, and the newest that ended. For administrators.', {
    json,
  })
    .asks('move.list', () => ({}))
    .shows('moves', (moves) => moves),
  staffRow(
    'suspend',
    'Suspends a server until `resume`: it is stopped, its data is kept. For administrators.',
    {
      server_id,
      reason: required(choice('--reason <reason>', 'reason shown to the owner', staffSuspensions)),
    },
  ).asks('server.suspend'),
  staffRow(
    'resume',
    'Ends a suspension by staff: the server is off and can be started. For administrators.',
    { server_id },
  ).asks('server.resume'),
];

/** A number of cores. */
function cores(text: string): number {
  const number = Number(text);
  if (!(number >= 0.1 && number <= 256))
    throw new InvalidArgumentError('It must be a number from 0.1 to 256.');
  return number;
}
