import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEntries, JournalStore } from '../state/journal.ts';
import { type BackupFixture, backupFixture, contentOf, fillWorld, made, mib } from '../testing/backups.ts';
import { restoreFiles } from './restore.ts';
import { Swap } from './swap.ts';

let on: BackupFixture;
let before: Record<string, string>;
let sha256: string | null;
beforeEach(async () => {
  on = backupFixture();
  fillWorld(on.folder);
  ({ sha256 } = await on.backups.engine('archive').create(on.job('B1'), on.folder, made, 100 * mib));
  before = contentOf(on.folder);
  // what a renter did since
  writeFileSync(join(on.folder, 'world/level.dat'), 'broken');
  rmSync(join(on.folder, 'server.properties'));
  writeFileSync(join(on.folder, 'new file'), 'new');
});
afterEach(() => on.end());

const restore = (change: Partial<Parameters<typeof restoreFiles>[0]> = {}) =>
  restoreFiles({
    engine: on.backups.engine('archive'),
    job: on.job('B1'),
    sha256,
    journal: on.store.journal,
    undo: on.backups.undo,
    folder: on.folder,
    disk_mb: 1024,
    uid: process.getuid?.() ?? 0,
    inside: '/data',
    ...change,
  });
const isOpen = () => on.store.journal.find('S1', 'restoring') !== null;
const expectOwnKept = () => {
  expect(readFileSync(join(on.folder, '.cairn/trash/kept'), 'utf8')).toBe('deleted before');
  expect(readdirSync(join(on.folder, '.cairn'))).toEqual(['trash']);
};

describe('a restore', () => {
  it('replaces all files, and leaves the folder of Cairn itself', async () => {
    expect(await restore()).toMatchObject({ files: 9 });
    expect(contentOf(on.folder)).toEqual(before);
    expectOwnKept();
    expect(isOpen()).toBe(false);
  });

  it('may be of the backup of another server, which keeps its own files', async () => {
    const other = { ...on.job('B1'), server_id: 'S2' };
    await expect(restore({ job: other })).rejects.toThrow('backup_not_found');
    expect(await restore({ job: other, source_id: 'S1' })).toMatchObject({ files: 9 });
    expect(contentOf(on.folder)).toEqual(before);
    expect(on.store.journal.find('S2', 'restoring')).toBe(null);
  });

  it('of a damaged, a missing or a cancelled backup leaves everything as it was', async () => {
    const now = contentOf(on.folder);
    await expect(restore({ sha256: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'backup_damaged' });
    await expect(restore({ job: on.job('B2') })).rejects.toMatchObject({ code: 'backup_not_found' });
    const abort = new AbortController();
    abort.abort();
    await expect(restore({ job: on.job('B1', { signal: abort.signal }) })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(contentOf(on.folder)).toEqual(now);
    expectOwnKept();
    expect(isOpen()).toBe(false);
  });

  it('that needs more than the disk has is refused before anything is changed', async () => {
    const now = contentOf(on.folder);
    await expect(restore({ disk_mb: 2 })).rejects.toMatchObject({ code: 'disk_full' });
    // what is known of it may be lost: then it ends when the limit is reached
    rmSync(join(on.data, 'backups/S1/B1.json'));
    await expect(restore({ disk_mb: 2 })).rejects.toMatchObject({ code: 'disk_full' });
    expect(contentOf(on.folder)).toEqual(now);
    expectOwnKept();
    expect(isOpen()).toBe(false);
  });

  it('writes nothing elsewhere when a game server put a link in place of the folder of Cairn', async () => {
    const elsewhere = join(on.data, 'elsewhere');
    mkdirSync(join(elsewhere, 'restore'), { recursive: true });
    writeFileSync(join(elsewhere, 'restore/precious'), 'of the node');
    rmSync(join(on.folder, '.cairn'), { recursive: true });
    symlinkSync(elsewhere, join(on.folder, '.cairn'));
    await restore();
    expect(contentOf(on.folder)).toEqual(before);
    expect(readFileSync(join(elsewhere, 'restore/precious'), 'utf8')).toBe('of the node');
  });

  type Phase = JournalEntries['restoring']['phase'];
  it.each<[Phase, 'old' | 'new']>([
    ['unpacking', 'old'],
    ['moving_out', 'old'],
    ['moving_in', 'old'],
    ['cleaning', 'new'],
  ])(
    'that ends when it was about to store %s has the %s files after the next start',
    async (phase, which) => {
      const now = contentOf(on.folder);
      await expect(restore({ journal: cutAt(phase, 'before') })).rejects.toThrow('killed');
      await new Swap(on.folder, on.store.journal, 'S1').recover();
      // whether the new files count decides what is stored: before that they do not
      expect(contentOf(on.folder)).toEqual(which === 'new' && isNew() ? before : now);
      expect(isOpen()).toBe(false);
      if (phase !== 'unpacking') expectOwnKept();
    },
  );
  it.each<[Phase, 'old' | 'new']>([
    ['unpacking', 'old'],
    ['moving_out', 'old'],
    ['moving_in', 'old'],
    ['cleaning', 'new'],
  ])('that ends right after it stored %s has the %s files after the next start', async (phase, which) => {
    const now = contentOf(on.folder);
    await expect(restore({ journal: cutAt(phase, 'after') })).rejects.toThrow('killed');
    expect(isOpen()).toBe(true);
    await new Swap(on.folder, on.store.journal, 'S1').recover();
    expect(contentOf(on.folder)).toEqual(which === 'new' ? before : now);
    expect(isOpen()).toBe(false);
  });
  const isNew = () => readFileSync(join(on.folder, 'world/level.dat'), 'utf8') === 'level one';

  it.each(['moving_out', 'moving_in'] as const)(
    'that ends in the middle of %s has the old files, even when bringing them back is cut as well',
    async (phase) => {
      const now = contentOf(on.folder);
      await expect(restore({ journal: cutAt(phase, 'after') })).rejects.toThrow('killed');
      const [from, to] = phase === 'moving_out' ? ['', '.cairn/restore/old'] : ['.cairn/restore/new', ''];
      for (const name of ['world', 'holes'])
        renameSync(join(on.folder, from, name), join(on.folder, to, name));
      if (phase === 'moving_in') {
        const cut = new Swap(on.folder, cutAt('moving_back', 'after'), 'S1');
        await expect(cut.recover()).rejects.toThrow('killed');
        renameSync(join(on.folder, 'world'), join(on.folder, '.cairn/restore/away/world'));
        const again = new Swap(on.folder, cutAt('moving_out', 'after'), 'S1');
        await expect(again.recover()).rejects.toThrow('killed');
        renameSync(join(on.folder, '.cairn/restore/old/world'), join(on.folder, 'world'));
      }
      await new Swap(on.folder, on.store.journal, 'S1').recover();
      expect(contentOf(on.folder)).toEqual(now);
      expectOwnKept();
    },
  );

  /** A journal of an agent that is killed when it stores `phase`. */
  function cutAt(phase: Phase, when: 'before' | 'after'): JournalStore {
    let dead = false;
    const alive = <T>(work: () => T): T => {
      if (dead) throw new Error('killed');
      return work();
    };
    return {
      find: (...args) => alive(() => on.store.journal.find(...args)),
      remove: (...args) => alive(() => on.store.journal.remove(...args)),
      save: (server_id, kind, data) =>
        alive(() => {
          dead = (data as JournalEntries['restoring']).phase === phase;
          if (!dead || when === 'after') on.store.journal.save(server_id, kind, data);
          if (dead) throw new Error('killed');
        }),
    };
  }
});

/** A disk of its own that is too small for old and new files at once. */
describe.skipIf(process.getuid?.() !== 0)('a restore on a small disk', () => {
  const mounted = () => join(on.data, 'servers/small');
  beforeEach(() => {
    mkdirSync(mounted());
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'none', mounted()]);
    mkdirSync(join(mounted(), '.cairn/trash'), { recursive: true });
    writeFileSync(join(mounted(), '.cairn/trash/kept'), 'deleted before');
    writeFileSync(join(mounted(), 'old'), randomBytes(4 * mib));
  });
  afterEach(() => {
    execFileSync('umount', ['--lazy', mounted()]);
  });
  const small = () => ({ folder: mounted(), disk_mb: 6 });

  it('keeps the old files elsewhere meanwhile', async () => {
    await restore(small());
    expect(contentOf(mounted())).toEqual(before);
    expect(readFileSync(join(mounted(), '.cairn/trash/kept'), 'utf8')).toBe('deleted before');
    expect(readdirSync(on.backups.work)).toEqual([]);
    expect(isOpen()).toBe(false);
  });

  it('brings them back when it fails', async () => {
    const now = contentOf(mounted());
    await expect(restore({ ...small(), sha256: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'backup_damaged',
    });
    expect(contentOf(mounted())).toEqual(now);
    expect(readdirSync(on.backups.work)).toEqual([]);
    expect(isOpen()).toBe(false);
  });

  it('brings them back when the agent was killed', async () => {
    const now = contentOf(mounted());
    const engine = on.backups.engine('archive');
    const dying: typeof engine = {
      create: engine.create.bind(engine),
      describe: engine.describe.bind(engine),
      delete: engine.delete.bind(engine),
      read: engine.read.bind(engine),
      verify: engine.verify.bind(engine),
      restore: async (_, into) => {
        writeFileSync(join(into.folder, 'half'), 'new');
        on.store.journal.save('S1', 'saving_off', { epoch: 'killed' });
        throw new Error('killed');
      },
    };
    const undo = {
      make: on.backups.undo.make.bind(on.backups.undo),
      unpack: () => Promise.reject(new Error('killed')),
    };
    await expect(restore({ ...small(), engine: dying, undo: undo as never })).rejects.toThrow('killed');
    expect(isOpen()).toBe(true);
    expect(existsSync(join(mounted(), 'old'))).toBe(false);
    const into = { folder: mounted(), uid: 0, limit: 100 * mib, inside: '/data' };
    await new Swap(mounted(), on.store.journal, 'S1').recover((archive) =>
      on.backups.undo.unpack(archive, into),
    );
    expect(contentOf(mounted())).toEqual(now);
    expect(readdirSync(on.backups.work)).toEqual([]);
  });
});
