import type { NodeFacts } from '../../hosting/nodes/view.ts';
import { acquireLease, addNode, joinNode, recordHeartbeat } from '../../hosting/nodes/write.ts';
import { createServer } from '../../hosting/servers/write.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** Nodes and servers for tests, created by the product's own functions. */

export const facts: NodeFacts = {
  agent_version: '0.1.0',
  docker: '20.10.24',
  disk_mode: 'measured',
  kinds: ['local'],
  cpu_millis: 8_000,
  ram_mb: 16_384,
  disk_mb: 200_000,
  disk_free_mb: 150_000,
  load: 0.5,
};

/** A node whose agent last reported at `now`, with capacity for four servers of the default size. */
export async function node(
  db: Db,
  now: Date,
  given: Partial<{
    region: string;
    ports: [number, number];
    ports_used: number[];
    facts: Partial<NodeFacts>;
  }> = {},
): Promise<{ id: string; secret: string; lease: number; name: string }> {
  const name = `node-${newId().toLowerCase()}`;
  const [port_from, port_to] = given.ports ?? [25_600, 25_699];
  const { join_token } = await addNode(
    db,
    {
      name,
      region: given.region ?? 'central-europe',
      public_address: 'play.example.test',
      port_from,
      port_to,
    },
    now,
  );
  const { node: joined, secret } = await joinNode(db, join_token, now);
  const lease = await acquireLease(db, joined.id, { holder: 'test', boot_id: 'boot', now });
  const reported = { lease, docker: 'up' as const, facts: { ...facts, ...given.facts } };
  await recordHeartbeat(db, joined.id, { ...reported, ports_used: given.ports_used ?? [] }, now);
  return { id: joined.id, secret, lease, name };
}

/** An ordered server of 4 GB without a node. */
export async function server(
  db: Db,
  owner: { id: string },
  given: Partial<{ id: string; name: string; region: string; ram_mb: number; starts: boolean }> = {},
): Promise<string> {
  const id = given.id ?? newId();
  await createServer(db, {
    ...{ id, order_id: newId(), owner_id: owner.id, name: given.name ?? 'Valley', kind: 'local' },
    ...{ region: given.region ?? 'central-europe', plan: 'small', ram_mb: given.ram_mb ?? 4_096 },
    ...{ cpu_millis: 2_000, swap_mb: 512, disk_mb: 32_768, game_version: '1.16.5', loader: null },
    ...{ terms_accepted: new Date('2026-01-01'), starts: given.starts ?? false },
  });
  return id;
}
