import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { engineUsers } from './engine-users.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-users-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another run, which is alive until it is killed. */
function anotherRun() {
  const child = spawn('sleep', ['60']);
  const ended = once(child, 'exit');
  return {
    ...{ pid: child.pid!, users: engineUsers(folder, child.pid) },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

it('knows other runs while they are alive and have not left', async () => {
  const mine = engineUsers(folder);
  mine.join();
  expect(mine.hasOthers()).toBe(false);
  const other = anotherRun();
  other.users.join();
  expect([mine.hasOthers(), other.users.hasOthers()]).toEqual([true, true]);
  mine.leave();
  expect(other.users.hasOthers()).toBe(false);
  mine.join();
  await other.kill();
  expect(mine.hasOthers()).toBe(false);
});

it('knows an engine that any run started, while it is alive', async () => {
  const mine = engineUsers(folder);
  expect(mine.startedEngine()).toBeNull();
  const engine = anotherRun();
  engineUsers(folder, 1).started(engine.pid);
  expect(mine.startedEngine()).toBe(engine.pid);
  await engine.kill();
  expect(mine.startedEngine()).toBeNull();
});

it('lets one run at a time join or leave', async () => {
  const mine = engineUsers(folder);
  const order: string[] = [];
  const slowly = (name: string) =>
    mine.alone(async () => {
      order.push(name);
      await new Promise((done) => setTimeout(done, 20));
      order.push(name);
    });
  await Promise.all([slowly('one'), slowly('other')]);
  expect(order).toEqual(['one', 'one', 'other', 'other']);
});
