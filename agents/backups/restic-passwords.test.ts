import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ResticPasswords } from './restic-passwords.ts';
import type { Platform } from './targets/platform.ts';

let folder: string;
const kept = new Map<string, string>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-passwords-'));
  kept.clear();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const works = async (_: string, { server_id, offered }: { server_id: string; offered: string | null }) => {
  if (offered !== null && !kept.has(server_id)) kept.set(server_id, offered);
  return { ok: true, password: kept.get(server_id) ?? null };
};
const away = async () => {
  throw new Error('The control plane does not answer');
};
const passwords = (ask: object | null, node = 'one') =>
  new ResticPasswords({
    folder: join(folder, node),
    platform: ask && ({ url: () => '', ask } as Platform),
    log: pino({ level: 'silent' }),
  });
const fileOf = (node: string) => join(folder, node, 'S1');

describe('the password of a repository', () => {
  it('has a copy before it is used, and comes back to a node that lost it', async () => {
    expect(await passwords(works).of('S1', 'create')).toEqual({ RESTIC_PASSWORD_FILE: fileOf('one') });
    const made = readFileSync(fileOf('one'), 'utf8');
    expect(kept.get('S1')).toBe(made);
    await passwords(works, 'two').of('S1', 'create');
    expect(readFileSync(fileOf('two'), 'utf8')).toBe(made);
  });

  it('of a server elsewhere is used and not kept', async () => {
    await passwords(works).of('S1', 'create');
    expect(await passwords(works, 'two').of('S1', 'use')).toEqual({ RESTIC_PASSWORD: kept.get('S1') });
    expect(existsSync(fileOf('two'))).toBe(false);
  });

  it('is not made while the control plane is away, and one from before is copied when it is back', async () => {
    await expect(passwords(away).of('S1', 'create')).rejects.toMatchObject({ code: 'backup_target_failed' });
    expect(existsSync(fileOf('one'))).toBe(false);
    await passwords(null).of('S1', 'create');
    const alone = passwords(away);
    expect(await alone.of('S1', 'use')).toEqual({ RESTIC_PASSWORD_FILE: fileOf('one') });
    await passwords(works).of('S1', 'use');
    expect(kept.get('S1')).toBe(readFileSync(fileOf('one'), 'utf8'));
  });

  it('that nobody knows is not made up', async () => {
    await expect(passwords(works).of('S1', 'use')).rejects.toMatchObject({ code: 'backup_not_found' });
    const sealed = async () => ({ ok: true, password: null });
    await expect(passwords(sealed).of('S1', 'create')).rejects.toMatchObject({
      code: 'backup_target_failed',
    });
  });
});
