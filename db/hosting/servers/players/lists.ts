import { Refused } from '../../../platform/errors.ts';
import type { Profile } from './profile.ts';
import { isSameName, type PlayersAction, type PlayersChange } from './rules.ts';

/** The lists of players in the files of the game: what is not known here stays. */

export const listFiles = {
  whitelist: 'whitelist.json',
  operators: 'ops.json',
  bans: 'banned-players.json',
  address_bans: 'banned-ips.json',
} as const;
export type PlayerList = keyof typeof listFiles;
export const playerLists = Object.keys(listFiles) as PlayerList[];

/** One entry; the game and its plugins may add more fields. */
export type Entry = Record<string, unknown>;

const listOf: Partial<Record<PlayersAction, PlayerList>> = {
  whitelist_add: 'whitelist',
  whitelist_remove: 'whitelist',
  op: 'operators',
  deop: 'operators',
  ban: 'bans',
  unban: 'bans',
  ban_address: 'address_bans',
  unban_address: 'address_bans',
};
/** The list that a change is in, or null. */
export const listOfChange = ({ action }: Pick<PlayersChange, 'action'>): PlayerList | null =>
  listOf[action] ?? null;

/** The entries of a file, none of an empty one; null when it is no list of entries, so that nobody writes over it. */
export function parseList(bytes: Uint8Array): Entry[] | null {
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') return [];
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.every((one) => typeof one === 'object' && one !== null)
      ? (found as Entry[])
      : null;
  } catch {
    return null;
  }
}

/** The bytes of a file, as the game writes it. */
export const formatList = (entries: readonly Entry[]): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(entries, null, 2)}\n`);

/** A field of an entry as text. */
export const textOf = (entry: Entry, field: string): string => {
  const value = entry[field];
  return typeof value === 'string' ? value : '';
};

const isOf = (entry: Entry, who: string): boolean =>
  isSameName(textOf(entry, 'name'), who) || isSameName(textOf(entry, 'ip'), who);

/** Whether somebody is in a list. */
export const isListed = (entries: readonly Entry[], who: string): boolean =>
  entries.some((entry) => isOf(entry, who));

const when = (now: Date): string => `${now.toISOString().slice(0, 19).replace('T', ' ')} +0000`;
const usual_reason = 'Banned by an operator.';

/** Facts for a change by files. */
interface ListChange extends PlayersChange {
  /** Of the player, for whoever is added. */
  profile: Profile | null;
  /** Who is named as the source of a ban. */
  by: string;
  default_level: number;
}

/**
 * The list after a change; every other entry, and every field that is not known, stays. Refuses `player_listed_already` and
 * `player_not_listed`.
 */
export function changeList(entries: readonly Entry[], change: ListChange, now: Date): Entry[] {
  const { action, who, profile } = change;
  const there = entries.find(
    (entry) => isOf(entry, who) || (profile && textOf(entry, 'uuid') === profile.uuid),
  );
  if (
    action === 'whitelist_remove' ||
    action === 'deop' ||
    action === 'unban' ||
    action === 'unban_address'
  ) {
    if (!there) throw new Refused('player_not_listed', { name: who });
    return entries.filter((entry) => entry !== there);
  }
  const level = change.level ?? change.default_level;
  if (there && action === 'op' && change.level !== null && there.level !== level)
    return entries.map((entry) => (entry === there ? { ...entry, level } : entry));
  if (there) throw new Refused('player_listed_already', { name: who });
  return [...entries, newEntry(change, level, now)];
}

function newEntry({ action, who, reason, profile, by }: ListChange, level: number, now: Date): Entry {
  const ban = {
    ...{ created: when(now), source: by, expires: 'forever' },
    reason: reason.trim() || usual_reason,
  };
  if (action === 'ban_address') return { ip: who, ...ban };
  const player = { uuid: profile!.uuid, name: profile!.name };
  if (action === 'op') return { ...player, level, bypassesPlayerLimit: false };
  return action === 'ban' ? { ...player, ...ban } : player;
}
