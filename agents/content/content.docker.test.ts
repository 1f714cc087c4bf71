import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ensureImage } from '../images/ensure-image.ts';
import { kindOf } from '../plan/kinds.ts';
import { sha512 } from '../testing/content.ts';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';

/** The demo's own game server under the agent, with mods: its console says which ones it found. */
let fixture: AgentFixture;
let agent: { close(): void };
beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start({ kindOf, ensureImage }, 'auto');
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});

const jar = (name: string) => {
  const content = `the file ${name}`;
  fixture.plane.content.set(sha512(content), content);
  return { path: `mods/${name}`, sha512: sha512(content), bytes: content.length, urls: [] };
};
const apply = (id: string, change: object) => {
  const nothing = { folders: ['mods'], revision: null, add: [], archive: null, move: [], remove: [] };
  return fixture.plane.operate(id, 'content_apply', { ...nothing, get: '/transfers?content=x', ...change });
};

it('mods are added while it runs, found at the next start, and taken back when they crash it', async () => {
  const { plane, running, power } = fixture;
  const id = await running({
    ...{ ram_mb: 512, game_version: '1.16.5', loader: 'fabric', loader_version: '0.16.9' },
    ...{ jvm_flags: ['-XX:+UseG1GC', '-Dlog.level=info'], heap_mb: 300 },
  });
  const says = (text: string) =>
    vi.waitFor(() => expect(plane.texts(id).some((line) => line.includes(text))).toBe(true), wait_options);
  // done by its own words, and counted
  const up = plane.of(id, 'server.power').find(({ data }) => data.power === 'running')!;
  expect(up.data.duration_s).toBeGreaterThan(0);
  await says('Loader: fabric 0.16.9');
  await says('Java flags: -XX:+UseG1GC -Dlog.level=info; heap: 300M');
  expect(plane.texts(id).join('\n')).not.toContain('Loaded mod');

  const added = await apply(id, { add: [jar('sky.jar'), jar('axe.jar')] });
  expect(added).toMatchObject({ state: 'done', result: { added: 2 } });
  let restart_seq = 1;
  await plane.setDesired(id, { restart_seq });
  await says('Loaded mod axe.jar');
  await says('Loaded mod sky.jar');
  await power(id, 'running');

  const broken = await apply(id, { add: [jar('crash-on-start.jar')] });
  expect(broken).toMatchObject({ state: 'done' });
  await plane.setDesired(id, { restart_seq: ++restart_seq });
  await power(id, 'crashed');
  const crash = plane.of(id, 'server.power').findLast(({ data }) => data.power === 'crashed')!;
  expect(crash.data.exit_code).toBe(1);
  expect(JSON.stringify(crash.data.last_lines)).toContain('crash-on-start.jar failed to load');

  await plane.setDesired(id, { power: 'off' });
  const undone = await plane.operate(id, 'content_undo', { folders: ['mods'], change_id: broken.op_id });
  expect(undone).toMatchObject({
    state: 'done',
    result: { removed: 1, revision: (added.result as { revision: string }).revision },
  });
  await plane.setDesired(id, { power: 'on', restart_seq: ++restart_seq, java: 21, jvm_flags: [] });
  await power(id, 'running');
  await says('Java flags: none');
  await says('Loaded mod sky.jar');
  expect(plane.texts(id).join('\n')).not.toContain('crash-on-start');

  const empty = { online: 0, names: [], most: expect.any(Number) };
  await vi.waitFor(() => expect(plane.stats.at(-1)?.players).toEqual(empty), wait_options);
  await plane.setDesired(id, { power: 'off' });
  await power(id, 'stopped');
  expect(plane.of(id, 'server.power').at(-1)?.data.exit_code).toBe(0);
});
