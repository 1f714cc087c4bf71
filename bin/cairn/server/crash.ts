import { messages } from '#content/messages.ts';
import { logLifetimeIds } from '#db/hosting/servers/logs/rules.ts';
import type { SharedLogView } from '#db/hosting/servers/logs/view.ts';
import { choice, json, server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

const { t } = messages('en-US');

/** What the logs of a server say is wrong, and logs that are shared by an address that nobody can guess. */
export const crashRows: Row[] = [
  row('crash', 'Says what may be wrong with a server by its newest crash report and log, read here.', {
    server_id,
    path: text('[path]', 'one log or report to read instead, such as logs/latest.log'),
    json,
  })
    .asks('crash.analyse')
    .lists(
      ({ findings, read }) => ({ findings, read }),
      ({ findings }) =>
        findings.length === 0
          ? [t('crash_help.nothing')]
          : findings.flatMap(({ cause, what, path, line }) => [
              `${t(`crash_help.cause_${cause}`)}${what && `: ${what}`} (${path ?? 'console'}, line ${line})`,
              `  ${t(`crash_help.do_${cause}`)}`,
            ]),
    ),
  row('log share', 'Shares a log and prints its address.', {
    server_id,
    path: text('[path]', 'the log (default: the newest crash report, else the log, else the console)'),
    lifetime: usually(choice('--for <time>', 'how long', logLifetimeIds), '1d'),
    json,
  })
    .asksOnce('logs.share')
    .shows(
      ({ log }, _, { url }) => withAddress(log, url),
      ({ address }) => address,
    ),
  row('log list', 'Lists the shared logs of a server.', { server_id, json })
    .asks('logs.list')
    .shows(
      ({ logs }, _, { url }) => logs.map((log) => withAddress(log, url)),
      (logs) =>
        logs.map(({ id, name, expires, by }) => ({
          ...{ log_id: id, name: name || 'console', expires },
          by: by ?? '',
        })),
    ),
  row('log remove', 'Removes a shared log at once: yours, and as the owner of the server any.', {
    server_id,
    log_id: text('<log>', 'ID of the log'),
  }).asks('logs.remove'),
];

const withAddress = (log: SharedLogView, url: string) => ({ ...log, address: new URL(log.path, url).href });
