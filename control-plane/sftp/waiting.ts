/** What is limited about connections before they sign in. */
interface WaitingLimits {
  waiting: number;
  waiting_per_address: number;
}
interface Ending {
  destroy(): void;
}

/**
 * Connections that did not sign in yet, the oldest first. They are few, and a new one takes the place of the oldest: whoever only
 * opens connections keeps nobody else from signing in.
 */
export class WaitingConnections<C extends Ending> {
  readonly #limits: WaitingLimits;
  readonly #addresses = new Map<C, string>();
  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** Counts one more; false when its address has too many already. */
  enter(connection: C, address: string): boolean {
    const own = [...this.#addresses.values()].filter((one) => one === address).length;
    if (own >= this.#limits.waiting_per_address) return false;
    if (this.#addresses.size >= this.#limits.waiting) {
      const [oldest] = this.#addresses.keys();
      this.leave(oldest!);
      oldest!.destroy();
    }
    this.#addresses.set(connection, address);
    return true;
  }

  /** It signed in, or is gone. */
  leave(connection: C): void {
    this.#addresses.delete(connection);
  }
}
