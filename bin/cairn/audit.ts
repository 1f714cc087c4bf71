import { type Command, InvalidArgumentError } from 'commander';
import { auditEntries } from '#db/audit/read.ts';
import { userByIdOrName } from '#db/people/read.ts';
import { UserError } from '../user-error.ts';
import { positive, print } from './print.ts';
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
    .option('--json', 'as JSON')
    .action(async ({ actor, subject, since, limit, json }) => {
      const [subject_type, subject_id] = (subject ?? '').split(':');
      const entries = await withContext(async ({ sql, settings }) => {
        const user = actor ? await userByIdOrName({ sql, settings }, actor) : null;
        if (actor && !user) throw new UserError(`There is no account ${actor}.`);
        return await auditEntries(sql, { actor_id: user?.id, subject_type, subject_id, since, limit });
      });
      if (json) print(entries, true);
      else
        print(
          entries.map((entry) => ({
            at: new Date(entry.at).toISOString(),
            actor: entry.actor ?? entry.actor_id ?? 'system',
            event: entry.name,
            subject: entry.subject_id ? `${entry.subject_type}:${entry.subject_id}` : entry.subject_type,
            data: JSON.stringify(entry.data),
          })),
        );
    });
}

function parseDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a date, such as 2026-11-01.');
  return date;
}
