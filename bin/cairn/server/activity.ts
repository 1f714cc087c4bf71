import { InvalidArgumentError } from 'commander';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { csvHead, csvLine, jsonLine } from '#db/hosting/servers/activity/export.ts';
import {
  type ActivityKind,
  activityKinds,
  max_activity_export,
  max_activity_page,
} from '#db/hosting/servers/activity/rules.ts';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import { activitySentence } from '#site/hosting/panel/activity/sentence.ts';
import { messageReader } from '#site/platform/text/message-reader.ts';
import type { ControlClient } from '../control-client.ts';
import { positive, print, printJson } from '../print.ts';
import { choice, json, parsed, server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

interface Filter {
  person: string | undefined;
  kind: ActivityKind | undefined;
  since: string | undefined;
  until: string | undefined;
}

/** What was done on a server. */
export const activityRow: Row = row(
  'activity',
  'Prints what was done on a server, newest first; kept for a year.',
  {
    server_id,
    person: text('--person <username>', 'only what this person did'),
    kind: choice('--kind <kind>', 'only one kind', activityKinds),
    since: parsed('--since <date>', 'only since this date, such as 2026-11-01', parseDate),
    until: parsed('--until <date>', 'only before this date', parseDate),
    limit: usually(
      parsed('--limit <count>', `number of entries, at most ${max_activity_export}`, positive),
      50,
    ),
    format: usually(choice('--format <format>', 'as', ['table', 'csv', 'jsonl']), 'table'),
    json,
  },
).runs(async (plane, { server_id, limit, format, json, ...filter }) => {
  const entries = await readEntries(plane, server_id, filter, Math.min(limit, max_activity_export));
  if (json) return printJson(entries);
  const reader = messageReader(islandMessages(messages('en-US'), 'server_activity.', 'server_access.'));
  // marks that isolate names are for pages
  const sentence = (entry: ActivityEntry) =>
    activitySentence(reader as never, entry).replace(/[\u2068\u2069]/g, '');
  if (format === 'table')
    return print(entries.map((one) => ({ at: one.at, kind: one.kind, what: sentence(one) })));
  const line = format === 'csv' ? csvLine : jsonLine;
  if (format === 'csv') console.log(csvHead);
  for (const entry of entries) console.log(line({ ...entry, text: sentence(entry) }));
});

async function readEntries(
  plane: ControlClient,
  server_id: string,
  filter: Filter,
  most: number,
): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  let next: number | null = null;
  do {
    const limit = Math.min(max_activity_page, most - entries.length);
    const page: { entries: ActivityEntry[]; next: number | null } = await plane.request('activity.list', {
      ...{ server_id, ...filter, limit },
      ...(next !== null && { before: next }),
    });
    entries.push(...page.entries);
    next = page.next;
  } while (next !== null && entries.length < most);
  return entries;
}

function parseDate(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a date, such as 2026-11-01.');
  return date.toISOString();
}
