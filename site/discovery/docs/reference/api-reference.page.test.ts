import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { demoSite } from '../../../testing/test-site.ts';

const site = demoSite();
const run = promisify(execFile);

test('every example of a GET that anyone may send answers, as curl is copied from the page', async () => {
  const overview = await site.open('/docs/api');
  const links = [...overview.main.querySelectorAll('.api-group p a')];
  expect(links.length).toBeGreaterThan(10);
  const pages = await Promise.all(links.map((link) => overview.follow(link)));
  const commands = pages.flatMap((page) =>
    [...page.document.querySelectorAll('[data-runnable] pre')].map((example) => example.textContent!),
  );
  const failed: string[] = [];
  for (const command of commands) {
    // the address of the site, but where it listens
    const asked = `${command} --connect-to ::127.0.0.1:${site.port} -o /dev/null -w '%{http_code}'`;
    const { stdout } = await run('bash', ['-c', asked]);
    if (!/^(200|307)$/.test(stdout)) failed.push(`${stdout}: ${command}`);
  }
  expect(failed).toEqual([]);
  expect(commands.length).toBeGreaterThan(40);
});

test('without scripts the reference reads the same, and nothing is offered that needs them', async () => {
  const page = await site.open('/docs/api/versions');
  page.one('heading', { name: 'GET /version/{id}' });
  expect(page.html).toContain('Try it here');
  expect(page.withText('Try it here')).toHaveLength(0);
});
