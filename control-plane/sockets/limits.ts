/** How much one client may send. Counts live in the memory of this process. Source: hosting §5.2. */

export const limits = {
  /** Sockets of one user, and from one address. */
  sockets_per_user: 20,
  sockets_per_address: 300,
  /** Handshakes a second from one address, admitted or not: each queries the database. */
  handshakes: 100,
  /** Servers that one socket may join. */
  joined_servers: 200,
  /** Messages a second, of each kind; as many may come at once. */
  commands: 10,
  joins: 4,
  calls: 20,
  /** Beginnings and ends of uploads: a folder has thousands of small files, and the page sends only a few at once. */
  uploads: 100,
  /** Messages over the rate before the socket is closed. */
  max_violations: 500,
} as const;

/** Counts connections by key, up to a limit. */
export class ConnectionCounter {
  readonly #counts = new Map<string, number>();

  /** Counts one more unless there are `max` already; gives whether it did. */
  enter(key: string, max: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= max) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  leave(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
  }
}
