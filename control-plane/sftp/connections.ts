import { type SftpGrant, sftpActors } from '#db/hosting/servers/sftp/read.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { PlaneContext } from '../context.ts';
import { createBatcher } from '../sockets/batcher.ts';
import { ConnectionCounter } from '../sockets/limits.ts';
import { sftpLimits } from './limits.ts';

/** A signed-in connection. */
export interface SftpConnection {
  grant: SftpGrant;
  actor: Actor | null;
  /** Its right ended: nothing more is done, and it is closed. */
  ended: boolean;
  close(): void;
}

/**
 * The signed-in connections here, and what each may do. A change of rights or of a server is read at once and ends the
 * connections that it concerns. Source: hosting §2 (GHSA-8c39-xppg-479c, where sessions survived).
 */
export class SftpConnections {
  readonly #context: PlaneContext;
  readonly #connections = new Set<SftpConnection>();
  readonly #counter = new ConnectionCounter();
  readonly #revalidation: ReturnType<typeof createBatcher>;
  readonly #onChange = (what: string) => {
    const [kind, id] = what.split(':', 2);
    const isConcerned =
      kind === 'rights' || kind === 'everything' || (kind === 'server' && this.#isOpen(id ?? ''));
    // what was missed may concern anybody: nobody does anything before it was read again
    if (kind === 'everything') for (const connection of this.#connections) connection.actor = null;
    if (isConcerned && this.#connections.size > 0) this.#revalidation.add('');
  };

  constructor(context: PlaneContext) {
    this.#context = context;
    this.#revalidation = createBatcher(
      () => this.#revalidate(),
      (err) => context.log.warn({ err }, 'SFTP connections could not be checked, will retry'),
    );
    context.changes.on('change', this.#onChange);
  }

  /** Adds a connection of somebody who proved who they are; null when they have too many, or no right. */
  async add(grant: SftpGrant, close: () => void): Promise<SftpConnection | null> {
    const connection: SftpConnection = { grant, actor: null, ended: false, close };
    if (!this.#counter.enter(grant.user_id, sftpLimits.per_user)) return null;
    // from here on changes are heard, so that none is missed between reading and adding
    this.#connections.add(connection);
    try {
      connection.actor = await this.#read(connection);
    } catch (error) {
      this.remove(connection);
      throw error;
    }
    if (connection.actor && !connection.ended) return connection;
    this.remove(connection);
    return null;
  }

  remove(connection: SftpConnection): void {
    if (!this.#connections.delete(connection)) return;
    this.#counter.leave(connection.grant.user_id);
  }

  /**
   * Who it is: as read last while changes are heard, else read again. Refuses `token_invalid` when
   * the right has ended.
   */
  async actorOf(connection: SftpConnection): Promise<Actor> {
    const { context, ended } = { context: this.#context, ended: connection.ended };
    context.membership.assertHeld();
    if (!ended && connection.actor && context.isListening()) return connection.actor;
    const actor = ended ? null : await this.#read(connection);
    if (!actor) {
      this.#end(connection);
      throw new Refused('token_invalid');
    }
    connection.actor = actor;
    return actor;
  }

  #isOpen(server_id: string): boolean {
    return [...this.#connections].some(({ grant }) => grant.server_id === server_id);
  }

  async #read({ grant }: SftpConnection): Promise<Actor | null> {
    return (await sftpActors(this.#context.sql, [grant], this.#context.now()))[0] ?? null;
  }

  async #revalidate(): Promise<void> {
    const all = [...this.#connections];
    const { sql, now } = this.#context;
    const actors = await sftpActors(
      sql,
      all.map(({ grant }) => grant),
      now(),
    );
    for (const [at, connection] of all.entries()) {
      const found = actors[at];
      if (found) connection.actor = found;
      else this.#end(connection);
    }
  }

  #end(connection: SftpConnection): void {
    if (connection.ended) return;
    connection.ended = true;
    connection.close();
  }

  close(): void {
    this.#context.changes.off('change', this.#onChange);
    this.#revalidation.stop();
    for (const connection of [...this.#connections]) this.#end(connection);
  }
}
