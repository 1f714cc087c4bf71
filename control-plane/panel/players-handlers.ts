import { answerOf } from '#db/hosting/servers/players/answers.ts';
import { changeList, isListed, listOfChange } from '#db/hosting/servers/players/lists.ts';
import { ProfileService } from '#db/hosting/servers/players/profile-service.ts';
import {
  commandOf,
  type PlayersChange,
  wayOfChange,
  whyNotChangePlayers,
  whyNotPlayersChange,
} from '#db/hosting/servers/players/rules.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { markRestartDue } from '#db/hosting/servers/restart-due.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ServerOnNode } from '../agents/ask-files.ts';
import { answerOfConsole } from '../agents/console-answer.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import {
  changeListFile,
  listEntries,
  playersRules,
  playersViewOf,
  profileOf,
  serverForPlayers,
  setProperty,
} from './players-access.ts';
import type { AsUser, PanelServices } from './services.ts';
import { statsOf } from './stats-of.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type PlayersHandlers = { [E in keyof All as E extends `players.${string}` ? E : never]: All[E] };

/** The handlers of requests about players: by the console of a running game, by the files of one that is off. */
export function playersHandlers(services: PanelServices, asUser: AsUser): PlayersHandlers {
  const { context } = services;
  const { sql, now, settings } = context;
  const url = settings.PROFILE_SERVICE_URL;
  const profiles = url ? new ProfileService(url, now) : null;

  /** Gives what the game said, null by a file. */
  async function apply(server: ServerOnNode, change: PlayersChange, way: 'console' | 'files', by: string) {
    const rules = await playersRules(context, server);
    const { action, level } = change;
    if (action === 'enforce_on' || action === 'enforce_off') {
      await setProperty(context, server, rules, 'enforce-whitelist', String(action === 'enforce_on'));
      if (way === 'console') await sql.begin((tx) => markRestartDue(tx, server.id));
      return null;
    }
    if (way === 'console') {
      if (action === 'op' && level !== null && level !== rules.default_level)
        throw new Refused('player_level_running', { level: rules.default_level });
      return await applyByConsole(server, change);
    }
    if (action === 'kick') throw new Refused('server_not_running');
    if (action === 'whitelist_on' || action === 'whitelist_off') {
      await setProperty(context, server, rules, 'white-list', String(action === 'whitelist_on'));
      return null;
    }
    const isAdded = action === 'whitelist_add' || action === 'op' || action === 'ban';
    const profile = isAdded ? await profileOf(change.who, rules, profiles) : null;
    const all = { ...change, profile, by, default_level: rules.default_level };
    await changeListFile(context, server, listOfChange(change)!, (entries) =>
      changeList(entries, all, now()),
    );
    return null;
  }

  async function applyByConsole(server: ServerOnNode, change: PlayersChange): Promise<string | null> {
    const command = commandOf(change)!;
    const answer = await answerOfConsole(context, server, command, (line) => answerOf(change, line));
    if (answer?.outcome === 'done') return answer.text;
    if (answer) throw new Refused('players_game_refused', { answer: answer.text });
    // plugins have words of their own: then the list says whether it happened
    const list = listOfChange(change);
    const isThere = list && isListed(await listEntries(context, server, list), change.who);
    const isWanted = ['whitelist_add', 'op', 'ban', 'ban_address'].includes(change.action);
    if (list && isThere === isWanted) return null;
    throw new Refused('players_no_answer');
  }

  const record = (actor: Actor, server_id: string, { action, who, level }: PlayersChange) =>
    sql.begin((tx) =>
      recordEvent(tx, {
        ...{ name: 'server.players_changed', actor_id: actor.user_id, server_id },
        data: { action, who, level: action === 'op' ? level : null },
      }),
    );

  return {
    'players.online': asUser(async (actor, { server_id }) => {
      const { facts } = await findAuthorizedServer(sql, actor, server_id, now());
      const running = facts.power === 'running';
      const stats = running ? await statsOf(services, [server_id]) : {};
      const players = stats[server_id]?.at(-1)?.players;
      return { online: players?.online ?? null, most: players?.most ?? null, names: players?.names ?? [] };
    }),
    'players.show': asUser(async (actor, { server_id, query }) => {
      const server = await serverForPlayers(context, actor, server_id);
      return { players: await playersViewOf(context, server, query, profiles) };
    }),
    'players.change': asUser(async (actor, { server_id, query, ...change }) => {
      const wrong = whyNotPlayersChange(change);
      if (wrong) throw new Refused(wrong.code, wrong.data);
      const server = await serverForPlayers(context, actor, server_id);
      assertAllowed(whyNotChangePlayers(server.record.facts));
      const way = wayOfChange(server.record.facts)!;
      const answer = await apply(server, change, way, actor.username);
      await record(actor, server_id, change);
      return { players: await playersViewOf(context, server, query, profiles), answer };
    }),
  };
}
