import { InvalidArgumentError } from 'commander';
import { isAddress, operatorLevels, type PlayersAction } from '#db/hosting/servers/players/rules.ts';
import type { EntryView, ListView, PlayersView } from '#db/hosting/servers/players/view.ts';
import {
  fixed,
  flag,
  json,
  otherwise,
  type Parameter,
  parsed,
  server_id,
  text,
  usually,
} from './parameters.ts';
import { type Row, row } from './row.ts';

const whitelistActions = {
  on: 'whitelist_on',
  off: 'whitelist_off',
  enforce: 'enforce_on',
  'dont-enforce': 'enforce_off',
  add: 'whitelist_add',
  remove: 'whitelist_remove',
} as const satisfies Record<string, PlayersAction>;

const allLists = flag('--json', 'as JSON: all lists afterwards');
const player = text('<player>', 'name of the player');
const who = text('<who>', 'name of the player, or IP address');
const reason = otherwise(text('--reason <reason>', 'one line that the player reads'), '');
const level = otherwise(parsed('--level <level>', '1 to 4 (default: what the game gives)', levelOf), null);

/** Who is on a server and who may play. */
export const playerRows: Row[] = [
  row('players online', 'Prints how many players are online, and those that the game names.', {
    server_id,
    json,
  })
    .asks('players.online')
    .shows(
      ({ online, most, names }) => ({ online, most, names }),
      ({ names }) => names.map((name) => ({ name })),
    ),
  row('players list', 'Prints whitelist, operators and bans.', {
    server_id,
    query: usually(text('--search <text>', 'only names, addresses and reasons with this text'), ''),
    json,
  })
    .asks('players.show')
    .shows('players', listLines),
  row(
    'players whitelist',
    'Turns the whitelist on or off, enforces it for players who are there, adds and removes players.',
    {
      server_id,
      what: text('<what>', Object.keys(whitelistActions).join(', ')),
      who: otherwise(text('[player]', 'name, for add and remove'), ''),
      json: allLists,
    },
  )
    .asksOnce('players.change', ({ what, ...message }) => ({
      ...{ ...message, action: whitelistAction(what) },
      ...{ reason: '', level: null },
    }))
    .lists(changed, gameAnswer),
  changeRow('op', 'Makes a player an operator.', player, () => 'op', { level }),
  changeRow('deop', 'Takes that back.', player, () => 'deop'),
  changeRow(
    'ban',
    'Bans a player or an address.',
    who,
    (named) => (isAddress(named) ? 'ban_address' : 'ban'),
    { reason },
  ),
  changeRow('unban', 'Ends the ban of a player or an address.', who, (named) =>
    isAddress(named) ? 'unban_address' : 'unban',
  ),
  changeRow('kick', 'Disconnects a player, who may join again.', player, () => 'kick', { reason }),
];

/** A command about one player or address. */
function changeRow(
  name: string,
  help: string,
  who: Parameter<string>,
  action: (who: string) => PlayersAction,
  own: { reason?: Parameter<string>; level?: Parameter<number | null> } = {},
): Row {
  const { reason = fixed(''), level = fixed(null) } = own;
  return row(`players ${name}`, help, { server_id, who, json: allLists, reason, level })
    .asksOnce('players.change', (message) => ({ ...message, action: action(message.who) }))
    .lists(changed, gameAnswer);
}

interface Changed {
  players: PlayersView;
  answer: string | null;
}

function changed({ players, answer }: Changed): Changed {
  return { players, answer };
}

function gameAnswer({ answer }: Changed): string[] {
  return answer ? [answer] : [];
}

function whitelistAction(what: string): PlayersAction {
  if (!Object.hasOwn(whitelistActions, what))
    throw new InvalidArgumentError(`${what} is not one of ${Object.keys(whitelistActions).join(', ')}.`);
  return whitelistActions[what as keyof typeof whitelistActions];
}

function levelOf(text: string): number {
  const level = operatorLevels.find((one) => String(one) === text);
  if (level === undefined) throw new InvalidArgumentError('It must be 1, 2, 3 or 4.');
  return level;
}

function listLines(view: PlayersView) {
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
