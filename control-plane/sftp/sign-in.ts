import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2';
import { findSftpLogin, type SftpGrant, type SftpLogin } from '#db/hosting/servers/sftp/read.ts';
import { parseLoginName } from '#db/hosting/servers/sftp/rules.ts';
import { verifyPassword } from '#db/platform/people/password.ts';
import { ConcurrencyLimiter } from '#db/platform/runtime/concurrency.ts';
import { LocalLimiter } from '#db/platform/runtime/rate-limit.ts';
import type { PlaneContext } from '../context.ts';
import { sftpLimits } from './limits.ts';

/** Names nobody: what is looked up for a name that cannot be one, so that both take as long. */
const nobody = { username: '', server_id: '0' };
const longest_password = 200;

/** What became of a try. `known`: the key may be used, and its signature is still to come. */
export type SignInResult = { ok: true; grant: SftpGrant } | { ok: 'known' } | { ok: false };

/**
 * Checks passwords and keys. An unknown name takes the same query and the same work as a wrong password, and gets the same
 * answer. Passwords are made by us and cannot be guessed: the limits keep guesses from filling memory and cores.
 */
export class SignIns {
  readonly #context: Pick<PlaneContext, 'sql' | 'now'>;
  readonly #failures = new LocalLimiter(sftpLimits.failures, 10_000);
  readonly #checks = new ConcurrencyLimiter({
    max_running: sftpLimits.checks,
    max_waiting: sftpLimits.checks_waiting,
  });

  constructor(context: Pick<PlaneContext, 'sql' | 'now'>) {
    this.#context = context;
  }

  async check(tried: AuthContext, address: string): Promise<SignInResult> {
    if (tried.method !== 'password' && tried.method !== 'publickey') return { ok: false };
    if (!this.#failures.hit(address, performance.now(), 0).allowed) return { ok: false };
    const login = await findSftpLogin(this.#context.sql, parseLoginName(tried.username) ?? nobody);
    const result =
      tried.method === 'password' ? await this.#password(login, tried.password) : keyResult(login, tried);
    // clients try every key they have
    if (!result.ok && tried.method === 'password') this.#failures.hit(address, performance.now());
    return result;
  }

  async #password(login: SftpLogin | null, password: string): Promise<SignInResult> {
    if (this.#checks.waiting >= sftpLimits.checks_waiting) return { ok: false };
    const hash = login?.password_hash ?? null;
    const given = password.slice(0, longest_password);
    const is_correct = await this.#checks.run(() => verifyPassword(hash, given), { client: '' });
    if (!is_correct || !login) return { ok: false };
    const { user_id, server_id } = login;
    return { ok: true, grant: { user_id, server_id, password_hash: hash, key_id: null } };
  }
}

function keyResult(login: SftpLogin | null, tried: PublicKeyAuthContext): SignInResult {
  const shown = tried.key.data.toString('base64');
  const known = login?.keys.find(({ public_key }) => public_key.split(' ')[1] === shown);
  if (!login || !known) return { ok: false };
  if (!tried.signature || !tried.blob) return { ok: 'known' };
  const key = ssh2.utils.parseKey(known.public_key);
  if (key instanceof Error || key.verify(tried.blob, tried.signature, tried.hashAlgo) !== true)
    return { ok: false };
  const { user_id, server_id } = login;
  return { ok: true, grant: { user_id, server_id, password_hash: null, key_id: known.id } };
}
