import { type ChildProcess, execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { networkHasher } from '#db/platform/files/network-hash.ts';
import { testDatabase } from '#db/testing/database.ts';
import { root } from '../install.mjs';
import { newsletterCommands } from './newsletter.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-newsletter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await database.sql`delete from newsletter_subscriptions`;
});

/** Runs `cairn newsletter send ...` as a process of its own. */
function send(args: string[], env: Record<string, string> = {}) {
  let child: ChildProcess | undefined;
  const ended = new Promise<{ code: number | null; out: string; errors: string }>((done) => {
    const given = {
      PATH: process.env.PATH,
      DATABASE_URL: `postgres:///${database.name}`,
      ...{ PGHOST: database.address, PGUSER: 'app' },
      ...{ DATA_DIR: join(folder, 'data'), SITE_URL: 'https://mods.example.org' },
      ...{ SMTP_URL: 'smtp://127.0.0.1:1', ...env },
    };
    child = execFile(
      process.execPath,
      ['bin/cairn.ts', 'newsletter', 'send', ...args],
      { cwd: root, env: given },
      (_error, out, errors) => done({ code: child!.exitCode, out, errors }),
    );
  });
  return { child: child!, ended };
}

const subscribe = (count: number) => database.sql`
  insert into newsletter_subscriptions (email, locale, confirmed)
  select 'r' || lpad(n::text, 5, '0') || '@example.test', 'en-US', now() from generate_series(1, ${count}::int) n`;
const mailed = async () =>
  (
    await database.sql<Array<{ to_address: string }>>`
      select to_address from mails where template = 'newsletter' order by to_address`
  ).map(({ to_address }) => to_address);

it('that is killed in the middle is completed by the next, and nobody gets it twice', {
  timeout: 180_000,
}, async () => {
  await subscribe(1200);
  const hash = await networkHasher(database.sql, 'newsletter');
  const holding = await database.sql.reserve();
  await holding`begin`;
  // a page further on waits for this row, and with it the command
  await holding`
    insert into newsletter_mails values ('security', ${hash('r00700@example.test')}, now())`;
  const { child, ended } = send(['security']);
  await expect.poll(async () => (await mailed()).length, { timeout: 60_000 }).toBe(500);
  child.kill('SIGKILL');
  await ended;
  await holding`rollback`;
  holding.release();
  expect(await mailed()).toHaveLength(500);

  const dry = await send(['security', '--dry-run', '--json']).ended;
  expect(JSON.parse(dry.out)).toEqual([{ subscribers: 1200, queued: 700, had_it: 500 }]);
  const again = await send(['security']).ended;
  expect(again.errors).toBe('');
  expect(again.out).toMatch(/subscribers +queued +had_it\n1200 +700 +500/);
  const all = await mailed();
  expect(all).toHaveLength(1200);
  expect(new Set(all).size).toBe(1200);
});

it('says why it writes to nobody', { timeout: 180_000 }, async () => {
  expect(await send(['security']).ended).toMatchObject({
    ...{ code: 1, errors: 'Nobody has subscribed to the newsletter.\n' },
  });
  expect(await send(['security'], { SMTP_URL: '' }).ended).toMatchObject({
    ...{ code: 1, errors: 'This site can’t send email.\n' },
  });
  const unknown = await send(['../security']).ended;
  expect(unknown).toMatchObject({ code: 1, out: '' });
  expect(unknown.errors).toMatch(
    /^There is no article “\.\.\/security”\. Articles are: .*how-search-works,.*\.\n$/,
  );
});

it('refuses drafts and what is not on the site yet', async () => {
  const news = join(folder, 'content/news');
  mkdirSync(news, { recursive: true });
  cpSync(join(root, 'content/news/security.md'), join(news, 'security.md'));
  const run = (slug: string) => {
    const program = new Command().exitOverride();
    newsletterCommands(program, folder);
    return program.parseAsync(['newsletter', 'send', slug], { from: 'user' });
  };
  mkdirSync(join(folder, 'dist/pages/news/article'), { recursive: true });
  await expect(run('security')).rejects.toThrow('does not show security yet');
  writeFileSync(join(news, 'later.md'), '---\ntitle: Later\ndraft: true\n---\n');
  await expect(run('later')).rejects.toThrow('mistakes in its front matter');
  const text = readFileSync(join(news, 'security.md'), 'utf8');
  writeFileSync(join(news, 'later.md'), text.replace('\ndate:', '\ndraft: true\ndate:'));
  await expect(run('later')).rejects.toThrow('is a draft');
});
