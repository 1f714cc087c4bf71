import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { type Bot, joinGame } from '#agents/testing/minecraft-bot.ts';
import { sumOfWorld } from './testing/chaos/world-files.ts';
import { patience, testMachines } from './testing/machines.ts';

/** A server is moved while somebody plays: a real control plane, Postgres, Docker, two agents and a player. */
const machines = testMachines('demo');
const { database, filesOf } = machines;
const host = '127.0.0.1';
const players: Bot[] = [];
afterAll(async () => {
  for (const player of players) await player.leave();
});

async function enter(port: number): Promise<Bot> {
  const player = await joinGame({ host, port }, 'Mirelle', { version: '1.16.5' });
  players.push(player);
  return player;
}

it('takes every byte of a world to another node, where its player finds what she dug', async () => {
  const first = await machines.machine();
  const { server_id } = first;
  const second = await machines.emptyMachine(first.region);
  const files = filesOf(first, server_id);
  mkdirSync(join(files, 'datapacks'), { recursive: true });
  writeFileSync(join(files, 'datapacks/large.zip'), randomBytes(20 * 1024 * 1024));
  await machines.power(server_id, 'start');
  await machines.becomes(server_id, { power: 'running' });
  const before = (await machines.row(server_id))!;
  const player = await enter(before.port);
  const place = await player.dig(1, 0);

  const id = await machines.move(server_id, second.node_id);
  // she is told, and not only cut off
  await vi.waitFor(() => expect(player.endReason()).not.toBeNull(), patience);
  expect(player.endReason()).toContain('Server closed');
  await machines.moveIs(id, { step: 'restoring' });
  await database.sql.begin(async (tx) => {
    // nothing goes on before this ends: it is complete there, not started, and still complete here
    await tx`select 1 from servers where id = ${server_id} for update`;
    expect((await tx`select step from server_tasks where id = ${id}`)[0]).toEqual({ step: 'restoring' });
    const world = sumOfWorld(files);
    await expect.poll(() => sumOfWorld(filesOf(second, server_id)), patience).toBe(world);
    expect(sumOfWorld(files)).toBe(world);
  });
  await machines.moveIs(id, { step: 'done', error: null });
  await machines.becomes(server_id, { node_id: second.node_id, power: 'running' });

  const { port } = (await machines.row(server_id))!;
  expect(port).not.toBe(before.port);
  const again = await enter(port);
  await vi.waitFor(async () => expect(await again.blockAt(place)).toBe('air'), patience);
  await again.leave();
  await machines.copiesGone(server_id);
  expect(existsSync(files)).toBe(false);
});
