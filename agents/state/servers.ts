import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type ServerSpec, specHash } from '#control/protocol/agent.ts';
import { applySpec, initialState, type ServerState } from '../plan/plan.ts';
import { transaction } from './open.ts';

/** User ids that a node has for its servers; each server has its own. */
const uids_per_node = 20_000;

/**
 * The first user id for servers of a node: nodes of two installations on one machine have others, so that no server may read the
 * files of another one. Servers keep the id that they got.
 */
export function firstUid(node_id: string): number {
  const place = createHash('sha256').update(node_id).digest().readUInt32BE(0) % 100_000;
  return 1_000_000 + place * uids_per_node;
}

/** Fields that a specification of an earlier release lacks. */
const fields_since = {
  resize_seq: 0,
  power_by: null,
  loader_version: null,
  java: null,
  jvm_flags: [],
  heap_mb: null,
  extra_ports: [],
  sleep: null,
} satisfies Partial<ServerSpec>;

export interface StoredServer {
  readonly id: string;
  readonly spec: Readonly<ServerSpec> | null;
  readonly state: Readonly<ServerState>;
  readonly uid: number;
  /** It was deleted: its container and files are being removed. */
  readonly deleted: boolean;
}

/** Specifications and stored state of servers. */
export function serverStore(db: DatabaseSync, first_uid: () => number) {
  const one = db.prepare('select id, spec, facts, uid, gone from servers where id = ?');
  const all = db.prepare('select id, spec, facts, uid, gone from servers order by id');
  const put = db.prepare(`
    insert into servers (id, generation, hash, spec, facts, uid)
    values (?, ?, ?, ?, ?, (select coalesce(max(uid) + 1, ?) from servers))
    on conflict (id) do update set generation = excluded.generation, hash = excluded.hash,
      spec = excluded.spec, facts = excluded.facts`);
  const updateState = db.prepare('update servers set facts = ? where id = ?');
  const read = (row: Record<string, unknown>): StoredServer => ({
    id: row.id as string,
    spec: row.spec === null ? null : ({ ...fields_since, ...JSON.parse(row.spec as string) } as ServerSpec),
    state: { ...initialState, ...(JSON.parse(row.facts as string) as ServerState) },
    uid: row.uid as number,
    deleted: row.gone === 1,
  });
  /** Rows as they were read last: this process alone writes them, and reads them at every command and every second. */
  const known = new Map<string, StoredServer>();
  const find = (id: string): StoredServer | null => {
    const before = known.get(id);
    if (before) return before;
    const row = one.get(id);
    const found = row ? read(row) : null;
    // a transaction may be rolled back
    if (found && !db.isTransaction) known.set(id, found);
    return found;
  };
  return {
    find,
    all: (): StoredServer[] => all.all().map(read),

    /** Stores `spec` unless a newer one is stored or the server is deleted; gives the generation that is stored. */
    applySpec(spec: ServerSpec): number {
      return transaction(db, () => {
        const existing = find(spec.server_id);
        const generation = existing?.spec?.generation ?? 0;
        if (existing && (existing.deleted || generation > spec.generation)) return generation;
        const state = JSON.stringify(applySpec(existing?.state ?? initialState, spec));
        known.delete(spec.server_id);
        put.run(spec.server_id, spec.generation, specHash(spec), JSON.stringify(spec), state, first_uid());
        return spec.generation;
      });
    },

    saveState(id: string, state: ServerState): void {
      known.delete(id);
      updateState.run(JSON.stringify(state), id);
    },

    /** Marks a server as deleted, whether it is known or not. */
    markDeleted(id: string): void {
      known.delete(id);
      db.prepare(`
        insert into servers (id, generation, hash, spec, facts, uid, gone)
        values (?, 0, '', null, ?, (select coalesce(max(uid) + 1, ?) from servers), 1)
        on conflict (id) do update set gone = 1`).run(id, JSON.stringify(initialState), first_uid());
    },

    delete(id: string): void {
      known.delete(id);
      transaction(db, () => {
        db.prepare('delete from servers where id = ?').run(id);
        db.prepare('delete from journal where server_id = ?').run(id);
        db.prepare('delete from consoles where server_id = ?').run(id);
        db.prepare('delete from typed where server_id = ?').run(id);
        db.prepare('delete from hidden where server_id = ?').run(id);
      });
    },

    /** The inventory that is sent to the control plane after its welcome. */
    inventory(): Record<string, { generation: number; hash: string }> {
      const rows = db.prepare('select id, generation, hash from servers').all();
      return Object.fromEntries(
        rows.map(({ id, generation, hash }) => [
          id as string,
          { generation: generation as number, hash: hash as string },
        ]),
      );
    },
  };
}
