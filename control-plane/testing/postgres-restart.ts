import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { leaseOf } from '#db/hosting/nodes/read.ts';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { prepareDatabase } from '#db/testing/prepare-database.ts';
import type { Ack } from '../protocol/ack.ts';
import { type Browser, browser, closeClients } from './clients.ts';
import { expectComplete, Follower, goesOn } from './follower.ts';
import { type Machine, machine } from './machine.ts';
import { type PlaneProcess, planeProcess } from './plane-process.ts';

// what was committed must survive a kill: only the disk is not waited for
const quick = ['fsync=off', 'full_page_writes=off'];
/** A socket may send ten commands a second. */
const pace_ms = 150;
let folder: string;
let postgres: EmbeddedPostgres;
let sql: Pool;
let planes: PlaneProcess[] = [];
let rented: Machine;
let followers: Follower[] = [];
let panels: Browser[] = [];

interface Restart {
  /** How Postgres ends; null: it is stopped. */
  signal: 'SIGKILL' | null;
  away_ms: number;
  /** Lines of the console that are followed afterwards: one comes every 20 ms. */
  lines_after: number;
}

/**
 * Two planes and an agent as processes, on a Postgres of their own that ends under them; call it once for a test file. Gives
 * what restarts that Postgres while commands and restarts are asked for at both planes, and expects that nothing is done
 * twice, no line is lost and all goes on.
 */
export function postgresRestart(): (wanted: Restart) => Promise<void> {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-restart-'));
    postgres = await startPostgres(folder, quick, { trust: true });
    sql = connect({ address: postgres.address, max: 4 });
    await prepareDatabase(postgres);
    const data = join(folder, 'data');
    mkdirSync(data);
    const database = { address: postgres.address, name: 'cairn' };
    const env = { LOG_LEVEL: 'info' };
    planes = [await planeProcess({ database, data, env }), await planeProcess({ database, data, env })];
    const urls = planes.map(({ url }) => url);
    rented = await machine(sql, urls);
    followers = urls.map((_, first) => new Follower(urls, { ...rented, first }));
    panels = await Promise.all(urls.map((url) => browser(url, rented)));
    await Promise.all(followers.map((one) => goesOn(one)));
  }, 120_000);
  afterEach(async () => {
    for (const follower of followers) follower.close();
    closeClients();
    rented?.agent.end();
    await Promise.all(planes.map((plane) => plane.end()));
    await sql?.end({ timeout: 1 });
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return async ({ signal, away_ms, lines_after }) => {
    const before = await leaseOf(sql, rented.node_id);
    let over = false;
    const asking = ask(() => over);
    await setTimeout(1_000);
    if (signal) process.kill(postgres.pid, signal);
    else await postgres.stop();
    await postgres.ended;
    await setTimeout(away_ms);
    // lines need no database: who looks goes on seeing them
    await Promise.all(followers.map((one) => goesOn(one)));
    for (const plane of planes) expect(await plane.readyz()).toBe(503);
    postgres = await startPostgres(folder, quick, { trust: true });
    for (const plane of planes) await expect.poll(() => plane.readyz(), { timeout: 30_000 }).toBe(200);
    await setTimeout(1_000);
    over = true;
    const asked = await asking;

    expect(asked.refusals).toContain('database_away');
    const { restart_seq } = (await sql`select restart_seq from servers`)[0]!;
    expect(restart_seq, 'restarts that were asked for, each once').toBe(asked.restarts);
    await expect
      .poll(() => rented.agent.said.findLast((one) => one.restart_seq !== undefined)?.restart_seq)
      .toBe(restart_seq);
    const typed = rented.agent.commands();
    const answered = (ok: boolean) => asked.commands.filter(({ answer }) => (answer?.ok ?? false) === ok);
    for (const { text } of answered(true)) expect(typed.filter((one) => one === text)).toEqual([text]);
    for (const { text } of answered(false))
      expect(typed.filter((one) => one === text).length, text).toBeLessThanOrEqual(1);
    expect(answered(true).length).toBeGreaterThan(0);

    // what is typed and wanted now arrives, over both planes
    for (const follower of followers)
      expect(await follower.type(`say to ${follower.url}`)).toEqual({ ok: true });
    const screens = panels.map(({ received }) => received.state.length);
    for (const panel of panels)
      await panel.request('server.join', { server_id: rented.server_id, rooms: ['state'] });
    await restart(asked);
    for (const [at, { received }] of panels.entries())
      await expect.poll(() => received.state.length).toBeGreaterThan(screens[at]!);
    // nobody takes the other one for dead
    await Promise.all(followers.map((one) => goesOn(one, lines_after, 60_000)));
    for (const one of followers) expectComplete(one);
    expect(followers.map(({ connects }) => connects)).toEqual([1, 1]);
    const { holder, lease } = before!;
    expect(await leaseOf(sql, rented.node_id)).toMatchObject({ holder, lease });
    for (const plane of planes) {
      expect(saidBy(plane, 'Heartbeat of this control plane could not be stored')).toMatchObject([
        { level: 'warn' },
      ]);
      await expect.poll(() => saidBy(plane, 'has its database again')).toHaveLength(1);
      expect(saidBy(plane, 'are dead')).toEqual([]);
    }
  };
}

/** What was asked while Postgres ended and came back. */
interface Asked {
  commands: { text: string; answer: Ack | null }[];
  /** Refusals of restarts before they were taken. */
  refusals: string[];
  restarts: number;
}

/** Asks for a restart with one id, at one plane and the other in turns, until it is taken. */
async function restart(asked: Asked): Promise<void> {
  const wish = { server_id: rented.server_id, op_id: randomUUID(), action: 'restart' as const };
  for (let turn = asked.restarts; ; turn++) {
    const answer = await panels[turn % 2]!.request('server.power', wish).catch(() => null);
    if (answer?.ok) break;
    asked.refusals.push(answer?.error ?? 'no answer');
    await setTimeout(pace_ms);
  }
  asked.restarts += 1;
}

/** Types and restarts at both planes, one after the other, until `isOver`. */
async function ask(isOver: () => boolean): Promise<Asked> {
  const asked: Asked = { commands: [], refusals: [], restarts: 0 };
  const type = async () => {
    for (let number = 1; !isOver(); number++) {
      const text = `say ${number}`;
      asked.commands.push({ text, answer: await followers[number % 2]!.type(text) });
      await setTimeout(pace_ms);
    }
  };
  const restartAgain = async () => {
    while (!isOver()) {
      await restart(asked);
      await setTimeout(pace_ms);
    }
  };
  await Promise.all([type(), restartAgain()]);
  return asked;
}

const saidBy = ({ logged }: PlaneProcess, text: string) => logged.filter(({ msg }) => msg.includes(text));
