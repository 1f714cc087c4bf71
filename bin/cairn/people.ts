import type { Command } from 'commander';
import { Option } from 'commander';
import { vouchForEmail } from '#db/accounts/account/email.ts';
import { setPassword } from '#db/accounts/sign-in/password-change.ts';
import { dropTotp } from '#db/accounts/sign-in/two-factor.ts';
import { createToken } from '#db/accounts/tokens/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { setUploadLimit } from '#db/platform/files/quota.ts';
import { newestUsers } from '#db/platform/people/newest.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { operator, roles } from '#db/platform/people/rules.ts';
import { type Scope, scopeBits, unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import { endSessionsOf } from '#db/platform/people/session-list.ts';
import { addUser, prepareUser } from '#db/platform/people/write.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { UserError } from '../user-error.ts';
import { passwordFrom } from './password.ts';
import { byteCount, positive, print } from './print.ts';
import { withContext } from './with-context.ts';

/** `user` and `token`: accounts and their access tokens. */
export function peopleCommands(program: Command): void {
  const user = program.command('user').description('Manages accounts.');
  user
    .command('create')
    .description(
      'Creates an account whose email address counts as verified; prints its ID. Reads the password from standard input.',
    )
    .requiredOption('--username <name>', 'up to 39 letters, numbers, dots, dashes or underscores')
    .requiredOption('--email <address>', 'an address that no other account uses')
    .option('--password <password>', 'visible to other users of this machine; better: standard input')
    .addOption(new Option('--role <role>', 'role of the account').choices(roles).default('developer'))
    .action(async ({ username, email, password: option, role }) => {
      const password = await passwordFrom(option);
      const id = await withContext(async ({ sql, now }) => {
        const prepared = await prepareUser({ username, email, password, role, now: now() });
        return await sql.begin((tx) => addUser(tx, prepared));
      });
      console.log(id);
    });
  user
    .command('password')
    .description('Sets a new password, read from standard input, and ends the sessions of an account.')
    .requiredOption('--user <name>', 'name or ID')
    .option('--password <password>', 'visible to other users of this machine; better: standard input')
    .action(async ({ user: name, password: option }) => {
      const password = await passwordFrom(option);
      await withContext(async ({ sql, settings, sealer, now }) => {
        const { id: user_id } = await existing({ sql, settings }, name);
        await setPassword({ sql, settings, sealer }, { user_id, password, now: now() });
      });
    });
  user
    .command('sign-out')
    .description('Ends every session of an account, such as when somebody else got into it; prints how many.')
    .requiredOption('--user <name>', 'name or ID')
    .action(async ({ user: name }) => {
      const ended = await withContext(async ({ sql, settings, now }) => {
        const { id } = await existing({ sql, settings }, name);
        return await sql.begin((tx) => endSessionsOf(tx, { user_id: id, actor: operator, now: now() }));
      });
      console.log(ended);
    });
  user
    .command('two-factor')
    .description('Turns two-factor authentication off for somebody who lost every second factor.')
    .requiredOption('--user <name>', 'name or ID')
    .requiredOption('--off', 'the only thing that can be done for somebody else')
    .action(async ({ user: name }) => {
      await withContext(async ({ sql, settings, sealer, now }) => {
        const { id: user_id } = await existing({ sql, settings }, name);
        await sql.begin((tx) => dropTotp(tx, { settings, sealer }, { user_id, now: now(), all: true }));
      });
    });
  user
    .command('verify')
    .description(
      'Verifies the email address of an account by hand, where the site cannot send mail; prints the address.',
    )
    .requiredOption('--user <name>', 'name or ID')
    .action(async ({ user: name }) => {
      const verified = await withContext(async ({ sql, settings, now }) => {
        const { id: user_id } = await existing({ sql, settings }, name);
        const by = { email: null, actor: operator, now: now() };
        return await sql.begin((tx) => vouchForEmail(tx, { user_id, ...by }));
      });
      console.log(verified);
    });
  user
    .command('quota')
    .description('Sets the daily upload quota of an account; without --bytes restores the default.')
    .requiredOption('--user <name>', 'name or ID')
    .option('--bytes <count>', 'bytes per day', byteCount)
    .action(async ({ user: name, bytes }) => {
      await withContext(async ({ sql, settings }) => {
        const { id } = await existing({ sql, settings }, name);
        await sql.begin((tx) => setUploadLimit(tx, id, bytes ?? null));
      });
    });
  user
    .command('list')
    .description('Lists accounts, newest first.')
    .option('--limit <count>', 'how many', positive, 50)
    .option('--json', 'as JSON')
    .action(async ({ limit, json }) => {
      const rows = await withContext(({ sql }) => newestUsers(sql, limit));
      print(rows, json);
    });
  program
    .command('token')
    .description('Manages personal access tokens.')
    .command('create')
    .description('Creates a personal access token and prints it; it cannot be shown again.')
    .requiredOption('--user <name>', 'name or ID')
    .requiredOption('--scopes <list>', '"all", or names separated by commas', parseScopes)
    .option('--days <days>', 'days of validity', positive, 365)
    .option('--name <name>', 'display name', 'cairn token create')
    .action(async ({ user: owner, scopes, days, name }) => {
      const token = await withContext(async (context) => {
        const { sql, settings, now } = context;
        const { id } = await existing({ sql, settings }, owner);
        const expires = new Date(now().getTime() + days * 86_400_000);
        return await sql.begin((tx) =>
          createToken(tx, { user_id: id, name, scopes, expires, now: now(), mailing: context, by: null }),
        );
      });
      console.log(token.access_token);
    });
}

async function existing(context: ReadContext, name: string): Promise<{ id: string }> {
  const user = await userByIdOrName(context, name);
  if (!user) throw new UserError(`There is no account ${name}.`);
  return user;
}

/** Scopes by name; `all` means every scope a token may have. */
export function parseScopes(text: string): readonly Scope[] {
  if (text === 'all') return unrestrictedScopes;
  return text.split(',').map((part) => {
    const name = part.trim().toUpperCase();
    if (!Object.hasOwn(scopeBits, name))
      throw new Refused('invalid_input', {
        problem: `${part.trim()} is not a scope. Use one of ${unrestrictedScopes.join(', ')}.`,
      });
    return name as Scope;
  });
}
