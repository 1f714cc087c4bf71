import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import type { Role } from '../db/platform/people/rules.ts';
import { openSession } from '../db/platform/people/session.ts';
import { addUser } from '../db/platform/people/write.ts';
import { token as tokenOf } from '../db/testing/builders/build.ts';
import { withDatabase } from './database.ts';
import { site } from './product.ts';

/** Accounts and sessions as rows: typing a password into the form is for the tests of signing in. */
export interface Account {
  id: string;
  username: string;
  /** A token with every scope, for the API and for `cairn`. */
  token: string;
}

/** A new account without a password; its address is verified. Its name begins with `name`. */
export const newAccount = (name: string, role: Role = 'developer'): Promise<Account> =>
  withDatabase(async (sql) => {
    const username = `${name}-${randomUUID().slice(0, 8)}`;
    const email = `${username}@example.org`;
    const id = await sql.begin((tx) =>
      addUser(tx, { username, email, password_hash: null, role, created: new Date() }),
    );
    return { id, username, token: await tokenOf(sql, { id }) };
  });

/** Signs the browser of `page` in as an account that exists, without showing a page. */
export async function signInAs(page: Page, username: string): Promise<void> {
  const value = await withDatabase(async (sql) => {
    const [user] = await sql<Array<{ id: string }>>`select id from users where username = ${username}`;
    if (!user) throw new Error(`There is no account ${username}`);
    const { session } = await openSession(sql, { user_id: user.id, user_agent: null, now: new Date() });
    return session!;
  });
  await page
    .context()
    .addCookies([{ name: 'auth-token', value, url: site, httpOnly: true, sameSite: 'Lax' }]);
}
