import { TOTP } from 'otpauth';
import type { startTotp } from '#db/accounts/sign-in/two-factor.ts';
import { openSession } from '#db/platform/people/session.ts';
import { createUser } from '#db/platform/people/write.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { TestApi } from './api.ts';

/** Accounts for tests of signing in. */
export const goodPassword = 'Copper lanterns hum softly';

export interface Person {
  id: string;
  username: string;
  email: string;
  /** The session token, for the Authorization header. */
  token: string;
}

let made = 0;

/** An account with a password, signed in; `proved_ago_ms` says when it last proved who it is. */
export async function person(sql: Pool, { proved_ago_ms = 0 } = {}): Promise<Person> {
  const username = `walker-${process.pid}-${++made}`;
  const email = `${username}@example.test`;
  const now = new Date();
  const id = await createUser(sql, { username, email, password: goodPassword, now });
  const proved = new Date(now.getTime() - proved_ago_ms);
  const { session } = await openSession(sql, { user_id: id, user_agent: null, now, proved });
  return { id, username, email, token: session! };
}

/** The code of an app with this secret at a time. */
export const codeOf = (secret: string, at: Date): string =>
  new TOTP({ secret, digits: 6, period: 30 }).generate({ timestamp: at.getTime() });

export type Setup = Awaited<ReturnType<typeof startTotp>> & { backup_codes: string[] };

/** Sets an authenticator app up for `who` over the API; the code that it used is of `at`. */
export async function withTotp(api: TestApi, { token }: Person, at: Date): Promise<Setup> {
  const call = async (path: string, json?: unknown) =>
    (await (await api.call('POST', `/v2/auth/2fa${path}`, { token, json })).json()) as never;
  const { secret, flow } = (await call('/get_secret')) as { secret: string; flow: string };
  const { backup_codes } = (await call('', { flow, code: codeOf(secret, at) })) as { backup_codes: string[] };
  return { secret, flow, backup_codes };
}
