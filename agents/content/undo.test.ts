import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filesOf } from '../files/server-files.ts';
import { settleContent } from '../operations/settle-content.ts';
import { type ContentFixture, contentFixture } from '../testing/content.ts';

let f: ContentFixture;
beforeEach(async () => {
  f = await contentFixture();
  f.write('mods/one.jar', 'one');
});
afterEach(() => f.end());

/** Changes that add `mods/<name>`, with their ids. */
const add = async (...names: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const name of names) ids.push((await f.apply({ add: [f.has(`mods/${name}`, `is ${name}`)] })).op_id);
  return ids;
};
const refused = { state: 'failed', result: { error: 'change_not_undoable' } };
const day = 24 * 3_600_000;

describe('taking a change back', () => {
  it('is possible for the newest, then for the one before, each once', async () => {
    const [first, second] = (await add('a.jar', 'b.jar')) as [string, string];
    expect(await f.undo(first)).toMatchObject(refused);
    expect(await f.undo(second)).toMatchObject({ state: 'done', result: { added: 0, removed: 1 } });
    expect(await f.undo(second)).toMatchObject(refused);
    f.restart();
    expect(await f.undo(first)).toMatchObject({ state: 'done' });
    expect(f.now()).toEqual({ mods: 'folder', 'mods/one.jar': 'one' });
    expect(await f.undo(randomUUID())).toMatchObject(refused);
  });

  it('is possible for the last five, and for a week', async () => {
    const ids = await add('1', '2', '3', '4', '5', '6');
    for (const id of ids.slice(1).reverse()) expect(await f.undo(id)).toMatchObject({ state: 'done' });
    expect(await f.undo(ids[0]!)).toMatchObject(refused);
    expect(Object.keys(f.now())).toEqual(['mods', 'mods/1', 'mods/one.jar']);
    const [old] = await add('7');
    f.clock.now += 8 * day;
    expect(await f.undo(old!)).toMatchObject(refused);
    expect(f.now()).toHaveProperty('mods/7');
  });

  it('gives back the space of what it kept, after its time', async () => {
    const { op_id } = await f.apply({ remove: ['mods/one.jar'] });
    expect(readdirSync(f.path(`.cairn/changes/${op_id}`))).toContain('old-0');
    f.clock.now += 8 * day;
    await f.files().expire();
    expect(readdirSync(f.path(`.cairn/changes/${op_id}`))).toEqual(['state.json']);
  });

  it('puts into the trash what somebody changed since in a file that came with it', async () => {
    const [id] = await add('a.jar');
    f.write('mods/a.jar', 'mine by now');
    await f.undo(id!);
    expect(f.now()).toEqual({ mods: 'folder', 'mods/one.jar': 'one' });
    expect((await f.get('trash', {})).items).toMatchObject([{ path: 'mods/a.jar', bytes: 11 }]);
  });

  it('puts back what it removed though something else has its name by then', async () => {
    const { op_id } = await f.apply({ remove: ['mods/one.jar'] });
    mkdirSync(f.path('mods/one.jar'));
    writeFileSync(f.path('mods/one.jar/inside'), 'x');
    expect(await f.undo(op_id)).toMatchObject({ state: 'done', result: { added: 1 } });
    expect(f.now()).toEqual({ mods: 'folder', 'mods/one.jar': 'one' });
    expect((await f.get('trash', {})).items).toMatchObject([{ path: 'mods/one.jar', type: 'directory' }]);
  });
});

describe('an agent that was killed', () => {
  const args = () => ({
    ...{ folders: ['mods'], revision: null, get: '/transfers?content=secret' },
    ...{ add: [f.has('mods/a.jar', 'is a.jar')], archive: null, move: [], remove: [] },
  });

  it('says that a change was made when its end was not stored any more', async () => {
    const [op_id] = (await add('a.jar')) as [string];
    f.restart();
    const { revision } = await f.get('content_list', { folders: ['mods'] });
    const result = { added: 1, moved: 0, removed: 0, revision };
    expect(await f.interrupted('content_apply', args(), op_id)).toEqual({ state: 'done', result });
    await f.undo(op_id);
    const undo = { folders: ['mods'], change_id: op_id };
    expect(await f.interrupted('content_undo', undo, randomUUID())).toMatchObject({ state: 'done' });
    expect(await f.interrupted('content_apply', args(), op_id)).toMatchObject({ state: 'interrupted' });
  });

  it('removes what was only downloaded, and the server may start', async () => {
    const id = randomUUID();
    mkdirSync(f.path(`.cairn/changes/${id}`), { recursive: true, mode: 0o700 });
    writeFileSync(f.path(`.cairn/changes/${id}/new-0`), 'half');
    f.store.journal.save('S1', 'changing', { phase: 'fetching' });
    f.restart();
    await settleContent(f.controller() as never);
    expect(existsSync(f.path(`.cairn/changes/${id}`))).toBe(false);
    expect(f.store.journal.find('S1', 'changing')).toBeNull();
    expect(await f.interrupted('content_apply', args(), id)).toMatchObject({ state: 'interrupted' });
  });
});

describe('two at once', () => {
  it('do not interleave: the second sees the revision of the first', async () => {
    const { revision } = await f.get('content_list', { folders: ['mods'] });
    const change = (name: string) => f.apply({ revision, add: [f.has(`mods/${name}`, name)] });
    const ended = await Promise.all([change('a.jar'), change('b.jar')]);
    expect(ended.map(({ state }) => state).sort()).toEqual(['done', 'failed']);
    expect(ended.find(({ state }) => state === 'failed')?.result).toMatchObject({
      error: expect.stringMatching(/^(content_changed|server_busy)$/),
    });
    expect(Object.keys(f.now())).toHaveLength(3);
  });

  it('wait for no backup that is restored, while reads go on', async () => {
    const holding = Promise.withResolvers<void>();
    const held = filesOf(f.controller() as never).hold('backup_restore', () => holding.promise);
    await vi.waitFor(async () =>
      expect(await f.apply({ remove: ['mods/one.jar'] })).toMatchObject({
        result: { error: 'server_busy', data: { by: 'backup_restore' } },
      }),
    );
    expect(await filesOf(f.controller() as never).use(async () => 'read')).toBe('read');
    holding.resolve();
    await held;
    f.store.journal.save('S1', 'restoring', { phase: 'unpacking', undo: null });
    expect(await f.apply({ remove: ['mods/one.jar'] })).toMatchObject({ result: { error: 'server_busy' } });
  });
});
