import { type Command, InvalidArgumentError, Option } from 'commander';
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
import type { Asking } from './asking.ts';
import type { ControlClient } from './control-client.ts';
import { positive, print } from './print.ts';

interface Given {
  person?: string;
  kind?: ActivityKind;
  since?: string;
  until?: string;
  limit: number;
  format: 'table' | 'csv' | 'jsonl';
  json?: boolean;
}

/** `server activity`: what was done on a server. */
export function activityCommand(server: Command, asking: Asking): void {
  server
    .command('activity')
    .description('Prints what was done on a server, newest first; kept for a year.')
    .argument('<id>', 'ID of the server')
    .option('--person <username>', 'only what this person did')
    .addOption(new Option('--kind <kind>', 'only one kind').choices(activityKinds))
    .option('--since <date>', 'only since this date, such as 2026-11-01', parseDate)
    .option('--until <date>', 'only before this date', parseDate)
    .option('--limit <count>', `number of entries, at most ${max_activity_export}`, positive, 50)
    .addOption(new Option('--format <format>', 'as').choices(['table', 'csv', 'jsonl']).default('table'))
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { limit, format, json, ...filter }: Given) => {
        const entries = await readEntries(plane, id, filter, Math.min(limit, max_activity_export));
        if (json) return print(entries, true);
        const reader = messageReader(islandMessages(messages('en-US'), 'server_activity.', 'server_access.'));
        // marks that isolate names are for pages
        const text = (entry: ActivityEntry) =>
          activitySentence(reader as never, entry).replace(/[\u2068\u2069]/g, '');
        if (format === 'table')
          return print(entries.map((one) => ({ at: one.at, kind: one.kind, what: text(one) })));
        const line = format === 'csv' ? csvLine : jsonLine;
        if (format === 'csv') console.log(csvHead);
        for (const entry of entries) console.log(line({ ...entry, text: text(entry) }));
      }),
    );
}

async function readEntries(
  plane: ControlClient,
  server_id: string,
  filter: Pick<Given, 'person' | 'kind' | 'since' | 'until'>,
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
