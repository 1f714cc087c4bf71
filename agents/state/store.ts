import { createHash, randomUUID } from 'node:crypto';
import type { Welcome } from '#control/protocol/agent.ts';
import { consoleStore } from './consoles.ts';
import { eventStore } from './events.ts';
import { journalStore } from './journal.ts';
import { openDatabase, transaction } from './open.ts';
import { operationStore } from './operations.ts';
import { firstUid, serverStore } from './servers.ts';

/**
 * Identity of this node as the control plane sent it last: an agent works on while the control plane is unavailable.
 */
export type Identity = Pick<Welcome, 'node_id' | 'lease' | 'installation' | 'node' | 'clock_offset'>;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The agent's database in `folder`. Throws `StateLocked` while another process has it open. */
export function openStateStore(folder: string) {
  const db = openDatabase(folder);
  const get = (name: string) =>
    (db.prepare('select value from meta where name = ?').get(name)?.value as string | undefined) ?? null;
  const set = (name: string, value: string) =>
    void db.prepare('insert or replace into meta (name, value) values (?, ?)').run(name, value);
  if (!get('stream')) set('stream', randomUUID());
  let identity = JSON.parse(get('identity') ?? 'null') as Identity | null;
  return {
    /** Identifies this database to the control plane: a lost database begins a new stream. */
    stream_id: get('stream') as string,
    identity: (): Identity | null => identity,
    saveIdentity(next: Identity): void {
      set('identity', JSON.stringify(next));
      identity = next;
    },
    /** Whether this node has used `join_token` already. */
    hasUsedToken: (join_token: string): boolean => get('joined') === hashOf(join_token),
    recordToken: (join_token: string): void => set('joined', hashOf(join_token)),
    servers: serverStore(db, () => firstUid(identity?.node_id ?? '')),
    events: eventStore(db),
    operations: operationStore(db),
    consoles: consoleStore(db),
    journal: journalStore(db),
    transaction: <T>(work: () => T): T => transaction(db, work),
    close: (): void => db.close(),
  };
}
export type StateStore = ReturnType<typeof openStateStore>;
