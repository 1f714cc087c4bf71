import { z } from 'zod';
import type { Entry } from './lists.ts';
import { textOf } from './lists.ts';
import { isAddress } from './rules.ts';

/** Most entries of one list that are sent at once: more are found by their search. */
const max_shown_entries = 200;

const entryView = z.strictObject({
  /** Name of a player, or an address. */
  who: z.string(),
  /** Of operators. */
  level: z.int().nullable(),
  /** Of bans. */
  reason: z.string().nullable(),
  source: z.string().nullable(),
  created: z.string().nullable(),
  /** null is forever. */
  expires: z.string().nullable(),
});
export type EntryView = z.output<typeof entryView>;

const listView = z.strictObject({
  entries: z.array(entryView),
  /** How many match the search, and how many there are. */
  found: z.int(),
  total: z.int(),
  /** The file holds no list: it is left alone until somebody repairs it. */
  broken: z.boolean(),
});
export type ListView = z.output<typeof listView>;

export const playersView = z.strictObject({
  /** How changes are made now; null while the server starts, stops or is not reachable. */
  way: z.enum(['console', 'files']).nullable(),
  whitelist_on: z.boolean(),
  enforced: z.boolean(),
  /** What the game gives new operators. */
  default_level: z.int(),
  /** How players who are added get their id while the server is off; `none`: they cannot be added. */
  names: z.enum(['offline', 'service', 'none']),
  whitelist: listView,
  operators: listView,
  bans: listView,
  address_bans: listView,
});
export type PlayersView = z.output<typeof playersView>;

/** Cut, since anybody may write anything into a file. */
const cut = (text: string, most = 300): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const orNull = (text: string): string | null => (text === '' ? null : cut(text));

function viewOf(entry: Entry): EntryView {
  const { level } = entry;
  const expires = textOf(entry, 'expires');
  return {
    who: cut(textOf(entry, 'name') || textOf(entry, 'ip') || textOf(entry, 'uuid'), 60),
    level: typeof level === 'number' && Number.isInteger(level) ? level : null,
    reason: orNull(textOf(entry, 'reason')),
    source: orNull(textOf(entry, 'source')),
    created: timeOf(textOf(entry, 'created')),
    expires: expires === 'forever' ? null : timeOf(expires),
  };
}

/** A time as the game writes it, `2026-01-31 12:00:00 +0000`, or null. */
function timeOf(text: string): string | null {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(text);
  const at = parts ? Date.parse(`${parts[1]}T${parts[2]}${parts[3]}:${parts[4]}`) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** A list as it is shown: who matches `query`, by name, address or reason; newest bans first. Null is a broken file. */
export function listViewOf(entries: readonly Entry[] | null, query: string): ListView {
  if (!entries) return { entries: [], found: 0, total: 0, broken: true };
  const wanted = query.trim().toLowerCase();
  const all = entries.map(viewOf).filter(({ who }) => who !== '');
  const found = all.filter(({ who, reason }) => `${who}\n${reason ?? ''}`.toLowerCase().includes(wanted));
  found.sort((a, b) => (b.created ?? '').localeCompare(a.created ?? '') || byName(a, b));
  return {
    entries: found.slice(0, max_shown_entries),
    found: found.length,
    total: all.length,
    broken: false,
  };
}
const byName = (a: EntryView, b: EntryView): number =>
  Number(isAddress(a.who)) - Number(isAddress(b.who)) || a.who.localeCompare(b.who);
