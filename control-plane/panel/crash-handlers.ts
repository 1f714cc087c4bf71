import { analyseLogsAside, sharedTextAside } from '#db/hosting/servers/logs/aside.ts';
import { sharedLogsOf } from '#db/hosting/servers/logs/read.ts';
import { assertRoomForLog, removeSharedLog, shareLog } from '#db/hosting/servers/logs/write.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { whyNotHave, whyNotReadFiles, whyNotSee } from '#db/hosting/servers/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ServerOnNode } from '../agents/ask-files.ts';
import { connectionOf } from '../agents/connection-of.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import { consoleLog, crashLogs, knownSecrets, readLog } from './read-logs.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type CrashHandlers = {
  [E in keyof All as E extends `crash.${string}` | `logs.${string}` ? E : never]: All[E];
};

/** The handlers of requests about what is wrong with a server, and about logs that are shared. */
export function crashHandlers({ context }: PanelServices, asUser: AsUser): CrashHandlers {
  const { sql, now } = context;

  /** The server for somebody who may read its files; an agent that is away for a moment is waited for. */
  async function forFiles(actor: Actor, server_id: string) {
    const read = () => findAuthorizedServer(sql, actor, server_id, now(), whyNotHave.files);
    let record = await read();
    if (whyNotReadFiles(record.facts) === 'server_unreachable') {
      await connectionOf(context, record.node_id);
      record = await read();
    }
    return record;
  }
  /** What there is to read of a crash: files only of a server that has any, for who may read them. */
  async function logsOfCrash(actor: Actor, server_id: string) {
    const record = await findAuthorizedServer(sql, actor, server_id, now(), whyNotSee);
    const server: ServerOnNode = { id: server_id, node_id: record.node_id };
    const mayRead = !whyNotHave.files(actor, record.facts) && !whyNotReadFiles(record.facts);
    return [...(mayRead ? await crashLogs(context, server, now()) : []), ...consoleLog(record.view)];
  }
  async function listed(actor: Actor, server_id: string) {
    const { facts } = await findAuthorizedServer(sql, actor, server_id, now(), whyNotHave.files);
    return await sharedLogsOf(sql, actor, { server_id, facts }, now());
  }

  return {
    'crash.analyse': asUser(async (actor, { server_id, path }) => {
      if (path === undefined) {
        const texts = await logsOfCrash(actor, server_id);
        return { findings: await analyseLogsAside(texts), read: texts.map((one) => one.path) };
      }
      const { facts, node_id } = await forFiles(actor, server_id);
      assertAllowed(whyNotReadFiles(facts));
      const log = await readLog(context, { id: server_id, node_id }, path);
      return { findings: await analyseLogsAside([log]), read: [path] };
    }),
    'logs.share': asUser(async (actor, { server_id, path, lifetime }) => {
      const { facts, node_id } = await forFiles(actor, server_id);
      await assertRoomForLog(sql, actor, server_id, now());
      const server = { id: server_id, node_id };
      if (path !== undefined) assertAllowed(whyNotReadFiles(facts));
      const [log] =
        path === undefined ? await logsOfCrash(actor, server_id) : [await readLog(context, server, path)];
      if (!log) throw new Refused('log_unreadable', { path: 'logs/latest.log' });
      const secrets = whyNotReadFiles(facts) ? [] : await knownSecrets(context, server);
      const shared = await sharedTextAside({ name: log.path ?? '', text: log.text, secrets });
      const id = await sql.begin((tx) => shareLog(tx, actor, { server_id, lifetime, shared }, now()));
      const logs = await listed(actor, server_id);
      return { log: logs.find((one) => one.id === id)!, logs };
    }),
    'logs.list': asUser(async (actor, { server_id }) => ({ logs: await listed(actor, server_id) })),
    'logs.remove': asUser(async (actor, { server_id, log_id }) => {
      await sql.begin((tx) => removeSharedLog(tx, actor, { server_id, log_id }, now()));
      return { logs: await listed(actor, server_id) };
    }),
  };
}
