import { kindIds } from '#db/hosting/server-kinds/rules.ts';
import { powerActions } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { UserError } from '../../user-error.ts';
import { positive } from '../print.ts';
import { printLogs } from './logs.ts';
import {
  choice,
  fixed,
  flag,
  json,
  op_id,
  parsed,
  required,
  server_id,
  text,
  usually,
} from './parameters.ts';
import { type Row, row } from './row.ts';
import { serverLine } from './server-line.ts';

/** Servers themselves: ordering, power and console. */
export const serverRows: Row[] = [
  row(
    'create',
    'Orders a server and prints its ID at once; setup continues, and the server stays off. By ordering, you accept the EULA of the game.',
    {
      name: required(text('--name <name>', '1 to 48 characters')),
      plan: required(text('--plan <plan>', 'small, medium, large or custom')),
      ram_gb: parsed('--ram <gb>', 'memory in GB, with the plan custom', positive),
      kind: usually(choice('--kind <kind>', 'kind of server', kindIds), kindIds[0]),
      region: text('--region <region>', 'region (default: one with capacity)'),
      game_version: text('--game-version <version>', 'game version (default: the newest one of the kind)'),
      terms_accepted: fixed(true),
      op_id,
    },
  )
    .asks('server.create')
    .says(({ id }) => id),
  row('list', 'Lists your servers and those that others share with you.', { json })
    .asks('server.list', () => ({}))
    .shows(
      ({ servers, shared }) =>
        servers.filter(isThere).map((one) => ({ ...one, shared_by: shared[one.id]?.owner ?? null })),
      (servers) => servers.map((one) => ({ ...serverLine(one), shared_by: one.shared_by ?? '' })),
    ),
  row('show', 'Prints the state of a server.', { server_id, json })
    .asks('server.show')
    .shows(
      ({ server }) => {
        if (!isThere(server)) throw new Refused('server_not_found');
        return server;
      },
      (server) => [serverLine(server)],
    ),
  row('power', 'Starts, stops, restarts or kills a server; returns when the request is accepted.', {
    server_id,
    action: text('<action>', powerActions.join(', ')),
    op_id,
  }).asks('server.power', ({ action, ...message }) => ({ ...message, action: powerAction(action) })),
  row('command', 'Sends a command to the console, at most once.', {
    server_id,
    words: text('<text...>', 'the command'),
  }).asksOnce('server.command', ({ words, ...message }) => ({ ...message, text: words.join(' ') })),
  row('logs', 'Prints lines of the console; missing lines are reported on standard error.', {
    server_id,
    lines: usually(parsed('--lines <count>', 'number of last lines', positive), 100),
    follow: flag('--follow', 'follow new lines'),
  }).runs(printLogs),
];

export const deleteRow: Row = row('delete', 'Deletes a server with all its data. This cannot be undone.', {
  server_id,
}).asks('server.delete');

/** A deleted server is hidden, even while its node still cleans up. */
const isThere = ({ lifecycle }: ServerView): boolean => lifecycle !== 'deprovisioning';

function powerAction(text: string): (typeof powerActions)[number] {
  const action = powerActions.find((one) => one === text);
  if (!action) throw new UserError(`${text} is not one of ${powerActions.join(', ')}.`);
  return action;
}
