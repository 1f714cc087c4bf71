import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changelogCommands } from './changelog.ts';

const now = () => new Date('2026-11-22T23:30:00Z');
let parent = '';
let folder = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'cairn-changelog-'));
  folder = join(parent, 'changelog');
  mkdirSync(folder);
});
afterEach(() => {
  rmSync(parent, { recursive: true });
  vi.restoreAllMocks();
});

/** Runs `cairn changelog ...` and gives what it prints. */
async function changelog(...args: string[]): Promise<string> {
  const printed: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => printed.push(line));
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  changelogCommands(program, parent, now);
  await program.parseAsync(['changelog', ...args], { from: 'user' });
  return printed.join('\n');
}
const add = (...args: string[]) => changelog('add', '--product', 'web', ...args);
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const entry = (name = 'web/2026-11-22.md') => readFileSync(join(folder, name), 'utf8');

it('writes an entry, grouped, and prints its file', async () => {
  const title = 'Say "hello": the first #1';
  const printed = await add(
    '--fixed',
    'A bug.',
    '--added',
    'A page.',
    '--added',
    '- Another\n one.',
    '--title',
    title,
  );
  expect(printed).toBe(join(folder, 'web/2026-11-22.md'));
  expect(entry()).toBe(
    `---\ntitle: "Say \\"hello\\": the first #1"\n---\n\n## Added\n\n- A page.\n- Another one.\n\n## Fixed\n\n- A bug.\n`,
  );
  expect(await changelog('check')).toBe('');
});

it('takes a body from a file, with single changes added to its groups', async () => {
  write('../body.md', 'We opened.\n\n## Changed\n\n- Faster.\n\n```\n# no heading\n```\n');
  const file = join(folder, '../body.md');
  await add('--date', '2026-11-01', '--body', file, '--changed', 'Smaller.');
  expect(entry('web/2026-11-01.md')).toBe(
    'We opened.\n\n## Changed\n\n- Faster.\n\n```\n# no heading\n```\n\n- Smaller.\n',
  );
});

it('adds to an entry only when asked, and keeps what it says', async () => {
  write('web/2026-11-22.md', '---\nversion: "1.0"\n---\n\nHello.\n\n## Added\n\n- A page.\n');
  await expect(add('--added', 'Two.')).rejects.toThrow(/exists\. Add --append/);
  await expect(add('--append', '--added', 'Two.', '--version', '2')).rejects.toThrow(
    /change its title and version/,
  );
  await add('--append', '--added', 'Two.', '--fixed', 'Three.');
  expect(entry()).toBe(
    '---\nversion: "1.0"\n---\n\nHello.\n\n## Added\n\n- A page.\n- Two.\n\n## Fixed\n\n- Three.\n',
  );
});

it.each([
  [['--product', 'launcher', '--added', 'x'], /no product “launcher”/],
  [['--product', '../web', '--added', 'x'], /no product/],
  [['--date', '2026-11-23', '--added', 'x'], /in the future: it is 2026-11-22 in UTC/],
  [['--date', '2026-02-30', '--added', 'x'], /not a day/],
  [['--date', '22.11.2026', '--added', 'x'], /not a day/],
  [[], /web\/2026-11-22\.md:1: has no text/],
  [['--added', ' '], /A change is empty/],
  [['--added', 'x', '--title', 'x'.repeat(71)], /--title: .*70/],
  [['--added', 'x', '--version', 'x'.repeat(33)], /--version: .*32/],
  [['--body', '/no/such/file'], /no file/],
])('refuses %j and writes nothing', async (args, reason) => {
  await expect(add(...args)).rejects.toThrow(reason);
  expect(readdirSync(folder)).toEqual([]);
});

it('names the line of a body that is wrong', async () => {
  write('../wrong.md', '\n\n## New\n\n- x\n');
  await expect(add('--body', join(folder, '../wrong.md'))).rejects.toThrow(
    /wrong\.md:3: has the heading “New”/,
  );
});

it('names every wrong file with its line', async () => {
  write('web/2026-11-22.md', '## Added\n\n- Fine.\n');
  write('web/2026-02-30.md', '- x\n');
  write('web/note.txt', 'x');
  write('launcher/2026-11-22.md', '- x\n');
  write('top.md', '- x\n');
  write('app/2026-11-20.md', '---\ntitle: "x"\n---\n\n');
  write(
    'servers/2026-11-20.md',
    '---\ntitle: "x"\n---\n\n## Fixed\n\n- x\n\n## Added\n\n## Added\n\n- y\n\n### Sub\n',
  );
  const said = await changelog('check').catch((error: Error) => error.message);
  expect(said.split('\n')).toEqual([
    'content/changelog/app/2026-11-20.md:4: has no text',
    'content/changelog/launcher/2026-11-22.md:1: is of the unknown product “launcher”; known are web, servers, app',
    'content/changelog/servers/2026-11-20.md:9: has “Added” too late; the order is ## Added, ## Changed, ## Fixed',
    'content/changelog/servers/2026-11-20.md:11: has “Added” twice',
    'content/changelog/servers/2026-11-20.md:15: has the heading “Sub”; known are ## Added, ## Changed, ## Fixed',
    'content/changelog/top.md:1: lies elsewhere than in <product>/<YYYY-MM-DD>.md',
    'content/changelog/web/2026-02-30.md:1: is not named after a day: <YYYY-MM-DD>.md',
    'content/changelog/web/note.txt:1: is not named after a day: <YYYY-MM-DD>.md',
  ]);
});
