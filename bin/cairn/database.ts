import type { Command } from 'commander';
import type { AppContext } from '#db/context.ts';
import { applyGrants } from '#db/platform/postgres/roles/apply.ts';
import { createRoles, mayCreateRoles, randomPasswords } from '#db/platform/postgres/roles/create.ts';
import { UserError } from '../user-error.ts';
import { withContext } from './with-context.ts';

/** `database`: roles of the processes in an external Postgres. */
export function databaseCommands(program: Command): void {
  program
    .command('database')
    .description('Manages roles in your own Postgres.')
    .command('roles')
    .description(
      'Creates the roles of the site and the control planes, or gives them new passwords; prints the settings for them.',
    )
    .action(async () => {
      for (const line of await withContext(makeRoles)) console.log(line);
      console.error(
        'Set these beside DATABASE_URL, which stays the address of the owner, and restart Cairn.',
      );
    });
}

async function makeRoles({ sql, settings }: AppContext): Promise<string[]> {
  const { DATABASE_URL } = settings;
  if (!DATABASE_URL) throw new UserError('The embedded database has its roles: every start makes them.');
  if (!(await mayCreateRoles(sql)))
    throw new UserError(
      'The role of DATABASE_URL may not create roles: run this once with an address of one that may.',
    );
  const passwords = randomPasswords();
  await createRoles(sql, passwords);
  await applyGrants(sql);
  const addressOf = (role: keyof typeof passwords) => {
    const url = new URL(DATABASE_URL);
    [url.username, url.password] = [role, passwords[role]];
    return url.href;
  };
  return [`DATABASE_URL_SITE=${addressOf('cairn_site')}`, `DATABASE_URL_PLANE=${addressOf('cairn_plane')}`];
}
