import { type Command, InvalidArgumentError } from 'commander';
import { isAddress, operatorLevels, type PlayersAction } from '#db/hosting/servers/players/rules.ts';
import type { EntryView, ListView, PlayersView } from '#db/hosting/servers/players/view.ts';
import type { Asking } from './asking.ts';
import type { ControlClient } from './control-client.ts';
import { print } from './print.ts';

interface Given {
  reason?: string;
  level?: number;
  json?: boolean;
}

/** `server players`: who is on a server and who may play. */
export function playersCommands(server: Command, asking: Asking): void {
  const players = server
    .command('players')
    .description(
      'Shows who is online, and changes whitelist, operators and bans; also while the server is off.',
    );
  players
    .command('online')
    .description('Prints how many players are online, and those that the game names.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: Given) => {
        const { online, most, names } = await plane.request('players.online', { server_id: id });
        if (json) console.log(JSON.stringify({ online, most, names }, null, 2));
        else print(names.map((name) => ({ name })));
      }),
    );
  players
    .command('list')
    .description('Prints whitelist, operators and bans.')
    .argument('<id>', 'ID of the server')
    .option('--search <text>', 'only names, addresses and reasons with this text', '')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { search, json }: { search: string; json?: boolean }) => {
        const { players: view } = await plane.request('players.show', { server_id: id, query: search });
        if (json) console.log(JSON.stringify(view, null, 2));
        else print(linesOf(view));
      }),
    );
  const change = async (
    plane: ControlClient,
    id: string,
    action: PlayersAction,
    who: string,
    given: Given,
  ) => {
    const { reason = '', level = null, json } = given;
    const { players: view, answer } = await plane.request(
      'players.change',
      { server_id: id, action, who, reason, level },
      { once: true },
    );
    if (json) console.log(JSON.stringify({ players: view, answer }, null, 2));
    else if (answer) console.log(answer);
  };
  players
    .command('whitelist')
    .description(
      'Turns the whitelist on or off, enforces it for players who are there, adds and removes players.',
    )
    .argument('<id>', 'ID of the server')
    .argument('<what>', Object.keys(whitelistActions).join(', '))
    .argument('[player]', 'name, for add and remove')
    .option('--json', 'as JSON: all lists afterwards')
    .action(
      asking(async (plane, id: string, what: string, who: string | undefined, given: Given) => {
        if (!Object.hasOwn(whitelistActions, what))
          throw new InvalidArgumentError(
            `${what} is not one of ${Object.keys(whitelistActions).join(', ')}.`,
          );
        await change(plane, id, whitelistActions[what as keyof typeof whitelistActions], who ?? '', given);
      }),
    );
  /** A command with one name or address. */
  const one = (name: string, description: string, what: string, action: (who: string) => PlayersAction) =>
    players
      .command(name)
      .description(description)
      .argument('<id>', 'ID of the server')
      .argument(`<${what}>`, what === 'player' ? 'name of the player' : 'name of the player, or IP address')
      .option('--json', 'as JSON: all lists afterwards')
      .action(
        asking((plane, id: string, who: string, given: Given) => change(plane, id, action(who), who, given)),
      );
  one('op', 'Makes a player an operator.', 'player', () => 'op').option(
    '--level <level>',
    '1 to 4 (default: what the game gives)',
    levelOf,
  );
  one('deop', 'Takes that back.', 'player', () => 'deop');
  one('ban', 'Bans a player or an address.', 'who', (who) => (isAddress(who) ? 'ban_address' : 'ban')).option(
    '--reason <reason>',
    'one line that the player reads',
  );
  one('unban', 'Ends the ban of a player or an address.', 'who', (who) =>
    isAddress(who) ? 'unban_address' : 'unban',
  );
  one('kick', 'Disconnects a player, who may join again.', 'player', () => 'kick').option(
    '--reason <reason>',
    'one line that the player reads',
  );
}

const whitelistActions = {
  on: 'whitelist_on',
  off: 'whitelist_off',
  enforce: 'enforce_on',
  'dont-enforce': 'enforce_off',
  add: 'whitelist_add',
  remove: 'whitelist_remove',
} as const satisfies Record<string, PlayersAction>;

function levelOf(text: string): number {
  const level = operatorLevels.find((one) => String(one) === text);
  if (level === undefined) throw new InvalidArgumentError('It must be 1, 2, 3 or 4.');
  return level;
}

function linesOf(view: PlayersView) {
  const lines = (list: string, { entries, broken }: ListView, note: (entry: EntryView) => string) =>
    broken
      ? [{ list, who: '', note: 'its file cannot be read' }]
      : entries.map((entry) => ({ list, who: entry.who, note: note(entry) }));
  const reason = (entry: EntryView) =>
    [entry.reason, entry.expires && `until ${entry.expires}`].filter(Boolean).join('; ');
  return [
    ...lines(`whitelist (${view.whitelist_on ? 'on' : 'off'})`, view.whitelist, () => ''),
    ...lines('operators', view.operators, ({ level }) => `level ${level ?? '?'}`),
    ...lines('bans', view.bans, reason),
    ...lines('address bans', view.address_bans, reason),
  ];
}
