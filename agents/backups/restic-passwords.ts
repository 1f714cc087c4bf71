import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { BackupError, targetFailed } from './error.ts';
import type { Platform } from './targets/platform.ts';
import { platformError } from './targets/platform-target.ts';

/** How restic is told a password: by a file of this node, or directly when it is not kept here. */
type Told = { RESTIC_PASSWORD_FILE: string } | { RESTIC_PASSWORD: string };

/** Passwords of the repositories of servers: files of this node, with copies at the control plane. */
export class ResticPasswords {
  readonly #folder: string;
  readonly #platform: Platform | null;
  readonly #log: Logger;
  /** Servers whose password is known to be at the control plane too. */
  readonly #copied = new Set<string>();

  /** Without a `platform` this node alone has them. */
  constructor(options: { folder: string; platform: Platform | null; log: Logger }) {
    [this.#folder, this.#platform, this.#log] = [options.folder, options.platform, options.log];
  }

  /**
   * The password of a server, made by `create` when there is none. A new one is used only once its copy is safe. Throws
   * `backup_not_found`, and `backup_target_failed` when the control plane does not answer and this node does not know it.
   */
  async of(server_id: string, when: 'create' | 'use'): Promise<Told> {
    const path = join(this.#folder, server_id);
    const own = await readFile(path, 'utf8').catch(() => null);
    if (own !== null) {
      await this.#copy(server_id, own);
      return { RESTIC_PASSWORD_FILE: path };
    }
    const known = await this.#ask(
      server_id,
      when === 'create' ? randomBytes(32).toString('base64url') : null,
    );
    if (known === null) throw new BackupError('backup_not_found');
    // of a server that is elsewhere nothing stays here
    if (when === 'use') return { RESTIC_PASSWORD: known };
    await this.#save(path, known);
    this.#copied.add(server_id);
    return { RESTIC_PASSWORD_FILE: path };
  }

  async #ask(server_id: string, offered: string | null): Promise<string | null> {
    if (!this.#platform) return offered;
    const answer = await this.#platform
      .ask('backup.password', { server_id, offered })
      .catch((error: unknown) => {
        throw targetFailed(error);
      });
    if (!answer.ok) throw platformError(answer.error);
    if (answer.password === null && offered !== null)
      throw new BackupError(
        'backup_target_failed',
        'the control plane cannot open the password of the repository',
      );
    return answer.password;
  }

  /** Gives the control plane its copy of a password that this node has from before; another time when that fails. */
  async #copy(server_id: string, own: string): Promise<void> {
    if (!this.#platform || this.#copied.has(server_id)) return;
    try {
      const kept = await this.#ask(server_id, own);
      if (kept !== own)
        this.#log.error(
          { server_id },
          'The control plane has another password of a repository than this node',
        );
      this.#copied.add(server_id);
    } catch (error) {
      this.#log.warn({ server_id, err: error }, 'The password of a repository has no copy yet');
    }
  }

  async #save(path: string, password: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(password);
      // a repository without its password is lost
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
