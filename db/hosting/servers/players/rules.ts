import type { RefusalCode } from '../../../platform/errors.ts';
import { type ServerFacts, whyNotOperate } from '../rules.ts';

/** Rules for who may play on a server: the same for the page, the socket and the command line. */

export const playersActions = [
  'whitelist_on',
  'whitelist_off',
  'enforce_on',
  'enforce_off',
  'whitelist_add',
  'whitelist_remove',
  'op',
  'deop',
  'ban',
  'unban',
  'ban_address',
  'unban_address',
  'kick',
] as const;
export type PlayersAction = (typeof playersActions)[number];

/** What is wanted. `who` is a name or an address, `''` for switches; `level` counts for operators only. */
export interface PlayersChange {
  action: PlayersAction;
  who: string;
  reason: string;
  level: number | null;
}

/** Levels of operators: what commands they may use. */
export const operatorLevels = [1, 2, 3, 4] as const;
export const max_reason_characters = 200;

const switches: readonly PlayersAction[] = ['whitelist_on', 'whitelist_off', 'enforce_on', 'enforce_off'];
/** Names in a list may be older than today's rule, or of players of another edition: only these can be taken off it. */
const removals: readonly PlayersAction[] = ['whitelist_remove', 'deop', 'unban'];

/** Whether something is a name of a player: 3 to 16 letters, digits and underscores. */
export const isPlayerName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9_]{3,16}$/.test(name);
const isListedName = (name: string): boolean => /^[.*+]?[A-Za-z0-9_]{1,24}$/.test(name);

/** Whether something is an IP address: four numbers, or version 6 without a zone. */
export function isAddress(text: string): boolean {
  if (/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)) return true;
  return /^[0-9A-Fa-f:.]{2,45}$/.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`);
}

/** Whether two names are of the same player: the game does not tell capital letters apart. */
export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Why a change is not possible whatever the server says, with the data of its text, or null. */
export function whyNotPlayersChange({
  action,
  who,
  reason,
  level,
}: PlayersChange): { code: RefusalCode; data: Record<string, string | number> } | null {
  const of = (code: RefusalCode, data: Record<string, string | number> = {}) => ({ code, data });
  if (switches.includes(action)) return null;
  if (action === 'ban_address' || action === 'unban_address') {
    if (!isAddress(who)) return of('player_address_invalid');
  } else if (!(removals.includes(action) ? isListedName(who) : isPlayerName(who)))
    return of('player_name_invalid');
  // a second line would be a second command
  if (
    reason.length > max_reason_characters ||
    !/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(reason) ||
    !reason.isWellFormed()
  )
    return of('player_reason_invalid', { most: max_reason_characters });
  if (action === 'op' && level !== null && !operatorLevels.some((one) => one === level))
    return of('player_level_invalid');
  return null;
}

/** How a change is made now: by the console of a running game, by the files of one that is off. Null: not now. */
export function wayOfChange({ power }: ServerFacts): 'console' | 'files' | null {
  if (power === 'running') return 'console';
  return power === 'stopped' || power === 'crashed' ? 'files' : null;
}

/** Why the lists of a server cannot be changed now, or null. */
export const whyNotChangePlayers = (server: ServerFacts): RefusalCode | null =>
  whyNotOperate(server) ?? (wayOfChange(server) === null ? 'players_wait' : null);

const commands: Record<Exclude<PlayersAction, 'enforce_on' | 'enforce_off'>, string> = {
  whitelist_on: 'whitelist on',
  whitelist_off: 'whitelist off',
  whitelist_add: 'whitelist add',
  whitelist_remove: 'whitelist remove',
  op: 'op',
  deop: 'deop',
  ban: 'ban',
  unban: 'pardon',
  ban_address: 'ban-ip',
  unban_address: 'pardon-ip',
  kick: 'kick',
};

/**
 * The console command of a change that `whyNotPlayersChange` allows; null for what has none: enforcing is only in
 * `server.properties`.
 */
export function commandOf({ action, who, reason }: PlayersChange): string | null {
  if (action === 'enforce_on' || action === 'enforce_off') return null;
  const takesReason = action === 'ban' || action === 'ban_address' || action === 'kick';
  return [commands[action], who, takesReason ? reason.trim() : ''].filter(Boolean).join(' ');
}
