import { type Command, InvalidArgumentError } from 'commander';
import { messages } from '#content/messages.ts';
import { auditNames } from '#db/moderation/audit/names.ts';
import { type AuditEntry, auditEntries } from '#db/moderation/audit/read.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { eventSentence } from '#site/moderation/staff/audit/event-sentence.ts';
import { UserError } from '../user-error.ts';
import { positive, print, printable } from './print.ts';
import { withContext } from './with-context.ts';

/** `audit`: the audit log. */
export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description('Lists the audit log, newest first.')
    .option('--actor <name>', 'only entries of this user: name or ID')
    .option('--subject <type:id>', 'only one subject, such as server:abcd1234, or a whole type: node')
    .option('--since <date>', 'only entries since this date, such as 2026-11-01', parseDate)
    .option('--limit <count>', 'number of entries', positive, 50)
    .option('--events', 'names and data of events instead of sentences')
    .option('--json', 'as JSON, with sentences, names and data')
    .action(async ({ actor, subject, since, limit, events, json }) => {
      const [subject_type, subject_id] = (subject ?? '').split(':');
      const entries = await withContext(async ({ sql, settings }) => {
        const user = actor ? await userByIdOrName({ sql, settings }, actor) : null;
        if (actor && !user) throw new UserError(`There is no account ${actor}.`);
        const found = await auditEntries(sql, { actor_id: user?.id, subject_type, subject_id, since, limit });
        const names = await auditNames(sql, found);
        const english = messages('en-US');
        return found.map((entry) => ({ ...entry, sentence: unmarked(eventSentence(english, entry, names)) }));
      });
      if (json) print(entries, true);
      else print(entries.map(events ? eventLine : sentenceLine));
    });
}

type Entry = AuditEntry & { sentence: string };
const time = (at: Date): string => new Date(at).toISOString();

/** The marks that isolate names are for pages. */
const unmarked = (sentence: string): string => sentence.replace(/[\u2068\u2069]/g, '');

/** As the page of the audit log says it. */
const sentenceLine = ({ at, sentence }: Entry): object => ({ at: time(at), what: printable(sentence) });

const eventLine = ({ at, actor, actor_id, name, subject_type, subject_id, data }: Entry): object => ({
  at: time(at),
  actor: actor ?? actor_id ?? 'system',
  event: name,
  subject: subject_id ? `${subject_type}:${subject_id}` : subject_type,
  data: JSON.stringify(data),
});

function parseDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a date, such as 2026-11-01.');
  return date;
}
