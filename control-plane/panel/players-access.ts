import { setTimeout as delay } from 'node:timers/promises';
import {
  type Entry,
  formatList,
  listFiles,
  type PlayerList,
  parseList,
  playerLists,
} from '#db/hosting/servers/players/lists.ts';
import { offlineProfile, type Profile } from '#db/hosting/servers/players/profile.ts';
import type { ProfileService } from '#db/hosting/servers/players/profile-service.ts';
import { wayOfChange } from '#db/hosting/servers/players/rules.ts';
import { listViewOf, type PlayersView } from '#db/hosting/servers/players/view.ts';
import { changePropertiesAside, readPropertiesAside } from '#db/hosting/servers/properties/aside.ts';
import { decodeProperties, properties_path } from '#db/hosting/servers/properties/file.ts';
import { findAuthorizedServer, type ServerRecord } from '#db/hosting/servers/read.ts';
import { whyNotHave, whyNotOperate } from '#db/hosting/servers/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import { connectionOf } from '../agents/connection-of.ts';
import type { PlaneContext } from '../context.ts';

type Context = Parameters<typeof connectionOf>[0] & Pick<PlaneContext, 'sql' | 'now'>;
type Known = ServerOnNode & { record: ServerRecord };

/**
 * A server whose lists of players somebody may see and change. An agent that is away for a moment is waited for. Refuses as
 * `whyNotHave.players` and `whyNotOperate` say.
 */
export async function serverForPlayers(context: Context, actor: Actor, server_id: string): Promise<Known> {
  const read = () => findAuthorizedServer(context.sql, actor, server_id, context.now(), whyNotHave.players);
  let record = await read();
  if (whyNotOperate(record.facts) === 'server_unreachable') {
    await connectionOf(context, record.node_id);
    record = await read();
  }
  assertAllowed(whyNotOperate(record.facts));
  return { id: server_id, node_id: record.node_id, record };
}

interface ReadFile {
  bytes: Uint8Array;
  etag: string;
}
/** A file of the game; empty, with the etag `''`, where there is none. */
async function readFile(context: Context, server: ServerOnNode, path: string): Promise<ReadFile> {
  try {
    const { content, etag } = await askFiles(context, server, 'read_text', { path });
    return { bytes: Buffer.from(content, 'base64'), etag };
  } catch (error) {
    if (error instanceof Refused && error.code === 'file_not_found')
      return { bytes: new Uint8Array(), etag: '' };
    throw error;
  }
}

/** The properties that count for players. Defaults are those of the game. */
export async function playersRules(context: Context, server: ServerOnNode) {
  const file = await readFile(context, server, properties_path);
  const { values } = await readPropertiesAside(decodeProperties(file.bytes));
  const level = Number(values.get('op-permission-level') ?? 4);
  return {
    file,
    whitelist_on: values.get('white-list') === 'true',
    enforced: values.get('enforce-whitelist') === 'true',
    default_level: Number.isInteger(level) && level >= 1 && level <= 4 ? level : 4,
    has_accounts: values.get('online-mode') !== 'false',
  };
}
type PlayersRules = Awaited<ReturnType<typeof playersRules>>;

/** Writes one property. Refuses `file_changed`. */
export async function setProperty(
  context: Context,
  server: ServerOnNode,
  { file }: PlayersRules,
  key: string,
  value: string,
): Promise<void> {
  const bytes = await changePropertiesAside({ bytes: file.bytes, changes: new Map([[key, value]]) });
  await askFiles(context, server, 'write_text', {
    path: properties_path,
    content: Buffer.from(bytes).toString('base64'),
    if_etag: file.etag,
  });
}

const rewrite_ms = 200;

/**
 * The entries of a list, null when its file cannot be read as one. The game rewrites its files in place, so one that was read
 * half written is read again.
 */
async function readList(
  context: Context,
  server: ServerOnNode,
  list: PlayerList,
): Promise<{ entries: Entry[] | null; etag: string }> {
  const read = async () => {
    const { bytes, etag } = await readFile(context, server, listFiles[list]);
    return { entries: parseList(bytes), etag };
  };
  const first = await read();
  if (first.entries) return first;
  await delay(rewrite_ms);
  return await read();
}

/** Changes a list by its file; refuses what `change` refuses, `players_file_invalid` and `file_changed`. */
export async function changeListFile(
  context: Context,
  server: ServerOnNode,
  list: PlayerList,
  change: (entries: Entry[]) => Entry[],
): Promise<void> {
  const path = listFiles[list];
  const { entries, etag } = await readList(context, server, list);
  if (!entries) throw new Refused('players_file_invalid', { path });
  const content = Buffer.from(formatList(change(entries))).toString('base64');
  await askFiles(context, server, 'write_text', { path, content, if_etag: etag });
}

/** The entries of a list; none when its file cannot be read as one. */
export const listEntries = async (
  context: Context,
  server: ServerOnNode,
  list: PlayerList,
): Promise<Entry[]> => (await readList(context, server, list)).entries ?? [];

/** Everything that is shown of the lists. A file that is too large counts as broken: it can be opened in Files. */
export async function playersViewOf(
  context: Context,
  server: Known,
  query: string,
  service: ProfileService | null,
): Promise<PlayersView> {
  const list = async (name: PlayerList) => {
    try {
      return listViewOf((await readList(context, server, name)).entries, query);
    } catch (error) {
      if (
        error instanceof Refused &&
        ['server_file_too_large', 'file_not_regular', 'file_is_directory'].includes(error.code)
      )
        return listViewOf(null, query);
      throw error;
    }
  };
  const [rules, ...lists] = await Promise.all([playersRules(context, server), ...playerLists.map(list)]);
  const { whitelist_on, enforced, default_level, has_accounts } = rules;
  const all = Object.fromEntries(playerLists.map((name, at) => [name, lists[at]!])) as Record<
    PlayerList,
    (typeof lists)[number]
  >;
  return {
    way: wayOfChange(server.record.facts),
    ...{ whitelist_on, enforced, default_level, ...all },
    names: has_accounts ? (service ? 'service' : 'none') : 'offline',
  };
}

/**
 * The player of a name, for a file. Refuses `player_lookup_missing` where accounts are needed and nobody can be asked,
 * `player_unknown`, and `player_lookup_failed`.
 */
export async function profileOf(
  name: string,
  { has_accounts }: PlayersRules,
  service: ProfileService | null,
): Promise<Profile> {
  if (!has_accounts) return offlineProfile(name);
  if (!service) throw new Refused('player_lookup_missing', { name });
  const found = await service.find(name);
  if (!found) throw new Refused('player_unknown', { name });
  return found;
}
