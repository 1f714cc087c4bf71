import type { StorageAnswer, StorageQuestion, StorageRequest } from '#control/protocol/backups.ts';

/** What the control plane answered to a question about backups. */
export type PlatformAnswer<R extends StorageRequest> =
  | ({ ok: true } & StorageAnswer<R>)
  | { ok: false; error: string };

/** The control plane, as backups use it. */
export interface Platform {
  /** The address in use: `http`, `https` or `unix:`. */
  url(): string;
  /** Asks, once more after a lost connection. Throws when there is no answer for a minute. */
  ask<R extends StorageRequest>(request: R, question: StorageQuestion<R>): Promise<PlatformAnswer<R>>;
}
