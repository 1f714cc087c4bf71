import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startOf, take } from './lock.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cairn-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that takes the lock, reports it, and holds it for `ms`. */
const holder = (path: string, ms: number) => {
  const module = new URL('./lock.mjs', import.meta.url).href;
  const script = `const { take } = await import(${JSON.stringify(module)});
    console.log('release' in take(${JSON.stringify(path)}) ? 'mine' : 'taken'); setTimeout(() => {}, ${ms});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const said = new Promise<string>((done) =>
    child.stdout.once('data', (data: Buffer) => done(String(data).trim())),
  );
  return { child, said };
};

describe('take', () => {
  it('gives a free lock, names the owner of a taken one, and leaves no other files', () => {
    const path = join(folder, 'one');
    const taken = take(path);
    expect(taken).toHaveProperty('release');
    expect(take(path)).toEqual({ owner: { pid: process.pid, started: startOf(process.pid) } });
    expect(readdirSync(folder)).toEqual(['one']);
    if ('release' in taken) taken.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes the lock of a process that was killed', async () => {
    const path = join(folder, 'killed');
    const { child, said } = holder(path, 60_000);
    expect(await said).toBe('mine');
    expect(take(path)).toMatchObject({ owner: { pid: child.pid } });
    child.kill('SIGKILL');
    await new Promise((done) => child.once('close', done));
    expect(take(path)).toHaveProperty('release');
  });

  it('detects a reused pid', () => {
    const path = join(folder, 'reused');
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: '1' }));
    expect(take(path)).toHaveProperty('release');
  });

  it('gives a stale lock to exactly one of many concurrent processes', async () => {
    const path = join(folder, 'many');
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
    const all = Array.from({ length: 6 }, () => holder(path, 2_000));
    const said = await Promise.all(all.map((one) => one.said));
    for (const { child } of all) child.kill('SIGKILL');
    expect(said.filter((one) => one === 'mine')).toHaveLength(1);
  });
});
