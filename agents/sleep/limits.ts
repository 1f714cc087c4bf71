/** What all sleeping servers of a node may use together: nobody who floods one takes anything from the others. */

/** Connections of one server, of one address to the whole node, and of all together. */
const most = { per_server: 100, per_address: 16, total: 1_000 } as const;
/** Players who wait for one server. */
export const max_held = 20;
/** Connections that may wait to be accepted. */
export const backlog = 64;
export const max_connections = most.per_server;

/** Counts connections by address. */
export class ConnectionCounts {
  readonly #by_address = new Map<string, number>();
  #total = 0;

  /** Counts one more and gives a function that takes it back, or null when there are too many. */
  take(address: string): (() => void) | null {
    const own = this.#by_address.get(address) ?? 0;
    if (own >= most.per_address || this.#total >= most.total) return null;
    this.#by_address.set(address, own + 1);
    this.#total += 1;
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      this.#total -= 1;
      const left = (this.#by_address.get(address) ?? 1) - 1;
      if (left > 0) this.#by_address.set(address, left);
      else this.#by_address.delete(address);
    };
  }
}
