import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom the work of this moment is done for: queues and limits tell people apart by it, without being told by each caller. */
export interface Requester {
  /** The network of the client (`networkOf`). */
  network: string;
  /** The account, once it is known. */
  user_id?: string;
  /** The address of the client. */
  address?: string;
  /** By what the account is known: `session`, `token` or `app` and its id. */
  credential?: string;
  /** Aborted when the client left: what waits for it is dropped. */
  left?: () => AbortSignal;
  /** Where what concerns the security of accounts is told (`db/platform/security-log/`). */
  security?: SecuritySink;
}

interface SecuritySink {
  record(event: object, origin: { address: string | null; credential: string | null }): void;
}

const store = new AsyncLocalStorage<Requester>();

/** Does `work` for somebody; all that it calls knows for whom, and may learn more about them (`identify`). */
export const onBehalfOf = <T>(who: Requester, work: () => T): T => store.run(who, work);

/** Says which account the work of this moment is for, and by what it is known, as soon as that is known. */
export function identify(user_id: string, credential?: string): void {
  const who = store.getStore();
  if (!who) return;
  who.user_id = user_id;
  if (credential !== undefined) who.credential = credential;
}

/** Whom the work is done for; undefined for work that nobody waits for, such as jobs. */
export const requester = (): Readonly<Requester> | undefined => store.getStore();

/** The key by which people take turns: the account, else the network; '' for work that nobody waits for. */
export function clientKey(): string {
  const who = store.getStore();
  return who?.user_id ?? who?.network ?? '';
}
