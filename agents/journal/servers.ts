import type { DatabaseSync } from 'node:sqlite';
import { type ServerSpec, specHash } from '#control/protocol/agent.ts';
import { accepting, type Facts, noFacts } from '../plan.ts';
import { atOnce } from './open.ts';

/** The first uid handed out; every server has one of its own. */
const firstUid = 20_000;

export interface Kept {
  id: string;
  spec: ServerSpec | null;
  facts: Facts;
  uid: number;
  /** It must not exist: container and folder are on their way out. */
  gone: boolean;
}

/** Specifications and memory of servers. */
export function serverJournal(db: DatabaseSync) {
  const one = db.prepare('select id, spec, facts, uid, gone from servers where id = ?');
  const all = db.prepare('select id, spec, facts, uid, gone from servers order by id');
  const put = db.prepare(`
    insert into servers (id, generation, hash, spec, facts, uid)
    values (?, ?, ?, ?, ?, (select coalesce(max(uid) + 1, ${firstUid}) from servers))
    on conflict (id) do update set generation = excluded.generation, hash = excluded.hash,
      spec = excluded.spec, facts = excluded.facts`);
  const remember = db.prepare('update servers set facts = ? where id = ?');
  const read = (row: Record<string, unknown>): Kept => ({
    id: row.id as string,
    spec: row.spec === null ? null : ({ resize_seq: 0, ...JSON.parse(row.spec as string) } as ServerSpec),
    facts: { ...noFacts, ...(JSON.parse(row.facts as string) as Facts) },
    uid: row.uid as number,
    gone: row.gone === 1,
  });
  const find = (id: string): Kept | null => {
    const row = one.get(id);
    return row ? read(row) : null;
  };
  return {
    find,
    all: (): Kept[] => all.all().map(read),

    /** Keeps `spec` unless a newer one is kept or the server is to go; gives the generation that is kept. */
    accept(spec: ServerSpec): number {
      return atOnce(db, () => {
        const kept = find(spec.server_id);
        const generation = kept?.spec?.generation ?? 0;
        if (kept && (kept.gone || generation > spec.generation)) return generation;
        const facts = JSON.stringify(accepting(kept?.facts ?? noFacts, spec));
        put.run(spec.server_id, spec.generation, specHash(spec), JSON.stringify(spec), facts);
        return spec.generation;
      });
    },

    remember: (id: string, facts: Facts): void => void remember.run(JSON.stringify(facts), id),

    /** Marks it as one that must not exist, known or not. */
    markGone(id: string): void {
      db.prepare(`
        insert into servers (id, generation, hash, spec, facts, uid, gone)
        values (?, 0, '', null, ?, (select coalesce(max(uid) + 1, ${firstUid}) from servers), 1)
        on conflict (id) do update set gone = 1`).run(id, JSON.stringify(noFacts));
    },

    forget(id: string): void {
      atOnce(db, () => {
        db.prepare('delete from servers where id = ?').run(id);
        db.prepare('delete from consoles where server_id = ?').run(id);
        db.prepare('delete from typed where server_id = ?').run(id);
      });
    },

    /** What the plane is told after it said welcome. */
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
