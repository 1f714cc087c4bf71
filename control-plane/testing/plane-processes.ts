import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { testDatabase } from '#db/testing/database.ts';
import { closeClients } from './clients.ts';
import { Follower } from './follower.ts';
import { type Machine, machine } from './machine.ts';
import { type PlaneProcess, planeProcess } from './plane-process.ts';

/** For a test that starts processes and waits until they notice things. */
export const processes_timeout_ms = 120_000;

/** Two planes and two machines; the agent of the first machine begins with the first plane. */
export interface TwoPlanes {
  planes: [PlaneProcess, PlaneProcess];
  machines: [Machine, Machine];
}

/** Planes and agents as processes on one database, for a test file; what a test started ends with it. */
export function planeProcesses(database: ReturnType<typeof testDatabase>) {
  const data = mkdtempSync(join(tmpdir(), 'cairn-planes-'));
  const planes: PlaneProcess[] = [];
  const machines: Machine[] = [];
  const followers: Follower[] = [];
  afterEach(async () => {
    for (const follower of followers.splice(0)) follower.close();
    closeClients();
    for (const { agent } of machines.splice(0)) agent.end();
    await Promise.all(planes.splice(0).map((plane) => plane.end()));
    // the next test must not take them for planes that may still be alive
    await database.sql`delete from planes`;
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  const all = {
    async start(env: Record<string, string> = {}, args: string[] = []): Promise<PlaneProcess> {
      const plane = await planeProcess({ database, data, env, args });
      planes.push(plane);
      return plane;
    },
    /** A machine whose agent tries these planes in their order. */
    async machine(...wanted: readonly PlaneProcess[]): Promise<Machine> {
      const made = await machine(
        database.sql,
        wanted.map(({ url }) => url),
      );
      machines.push(made);
      return made;
    },
    async two(first: Promise<PlaneProcess> = all.start()): Promise<TwoPlanes> {
      const [a, b] = await Promise.all([first, all.start()]);
      return { planes: [a, b], machines: await Promise.all([all.machine(a, b), all.machine(b, a)]) };
    },
    /** A panel that begins with the first of these planes. */
    follow(of: Machine, ...wanted: readonly PlaneProcess[]): Follower {
      const follower = new Follower(
        wanted.map(({ url }) => url),
        of,
      );
      followers.push(follower);
      return follower;
    },
  };
  return all;
}
