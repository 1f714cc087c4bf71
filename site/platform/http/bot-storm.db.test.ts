import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { list } from 'isbot';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rollUp } from '#db/discovery/analytics/roll-up.ts';
import { isBot, isCrawler } from '#db/discovery/analytics/sources.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { filesHandler } from './stored-files.ts';

/**
 * What must not move a figure: bots, requests without a body, one network that asks again and again, and the same
 * download told by many mirrors. The routes are the product's, the counts are those in Postgres. Source: api-behaviours §10.
 */
const database = testDatabase();
const key = 'a-key-of-sixteen';
const site = 'https://cairn.example';
const api = testApi(database, { ADMIN_KEY: key, SITE_URL: site, CDN_URL: 'https://cdn.example' });
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const launcher = 'PrismLauncher/9.1';

let server: Server;
let port: number;
let project: build.BuiltProject;
let version: build.BuiltVersion;
let path: string;

beforeAll(async () => {
  const { storage, log, usage, settings } = api.services;
  const files = filesHandler({
    gone: async () => null,
    ...{ storage, log, usage, settings },
    blocked: { reason: () => null },
    hidden: { access: () => 'open' },
    addressOf: ({ headers }) => String(headers['x-real-ip']),
  });
  server = createServer((req, res) => void (files(req, res) || res.writeHead(404).end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
beforeEach(async () => {
  await api.services.usage.flush();
  await database.sql`truncate analytics_records, analytics_hours, analytics_days, analytics_totals, download_windows`;
  project = await build.project(database.sql);
  version = await build.version(database.sql, project);
  path = `/data/${project.id}/versions/${version.id}/${version.files[0]!.filename}`;
  await api.services.storage.putBytes(path.slice(1), Buffer.from('a mod'));
});

interface Asked {
  agent?: string | undefined;
  address?: string;
  method?: string;
  headers?: Record<string, string>;
}
/** A request for the file; gives its status. */
const load = ({ agent = browser, address = '203.0.113.1', method = 'GET', headers = {} }: Asked = {}) =>
  new Promise<number>((resolve, reject) => {
    const all = { ...headers, ...(agent && { 'user-agent': agent }), 'x-real-ip': address };
    request({ port, path, method, headers: all }, async (res) => {
      await buffer(res);
      resolve(res.statusCode!);
    })
      .on('error', reject)
      .end();
  });
const view = async ({ agent = browser, address = '203.0.113.1' }: Asked = {}) => {
  const headers = { 'user-agent': agent };
  const json = { url: `${site}/mod/${project.slug}` };
  return (await api.call('POST', '/analytics/view', { json, address, headers })).status;
};
/** A mirror tells of a download by `ip`; gives the status. */
const told = async (mirror: string, ip: string, agent = launcher) => {
  const json = {
    url: `https://${mirror}${path}`,
    ...{ project_id: project.id, version_name: '1.0.0', ip, headers: { 'user-agent': agent } },
  };
  return (
    await api.call('PATCH', '/_internal/admin/_count-download', { headers: { 'modrinth-admin': key }, json })
  ).status;
};

/** Every figure there is: of version and project, of records and of their sums. */
async function figures() {
  const { sql } = database;
  const { usage, now } = api.services;
  await usage.flush();
  await rollUp(sql, now(), { records_d: 35 });
  const sums = (table: string) =>
    sql`select kind, sum(amount)::int as amount from ${sql(table)} group by 1 order by 1`;
  const [counts] = await sql<Array<{ of_version: number; of_project: number }>>`
    select v.downloads as of_version, p.downloads as of_project from versions v join projects p on p.id = v.project_id
    where v.id = ${version.id}`;
  const tables = ['analytics_records', 'analytics_hours', 'analytics_days', 'analytics_totals'];
  const [records, ...rest] = await Promise.all(
    tables.map(async (table) => Object.fromEntries((await sums(table)).map((row) => [row.kind, row.amount]))),
  );
  for (const same of rest) expect(same).toEqual(records);
  return { downloads: counts!.of_project, of_version: counts!.of_version, records: records! };
}
const figuresOf = (downloads: number, views: number) => ({
  ...{ downloads, of_version: downloads },
  records: { ...(downloads && { download: downloads }), ...(views && { view: views }) },
});

/** Names of the maintained list that are plain words, each as a crawler writes itself. */
const bots = list
  .filter((pattern) => /^[a-z]{4,}$/i.test(pattern))
  .map((word) => `Mozilla/5.0 (compatible; ${word}/1.0; +http://${word.toLowerCase()}.example/)`)
  .filter((agent) => isCrawler(agent));
const known = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
];

test('a storm of bots from as many networks changes no figure', async () => {
  // one person, so that there is a figure to change
  expect([await load({ address: '198.51.100.1' }), await view({ address: '198.51.100.1' })]).toEqual([
    200, 204,
  ]);
  const before = await figures();
  expect(before).toEqual(figuresOf(1, 1));

  const agents = [...known, ...bots];
  expect(agents.length).toBeGreaterThan(50);
  for (const [n, agent] of agents.entries()) {
    const address = `203.0.${n >> 8}.${n & 255}`;
    expect(await load({ agent, address }), agent).toBe(200);
    expect(await view({ agent, address }), agent).toBe(204);
    expect(await told('cdn.example', address, agent), agent).toBe(204);
  }
  // a browser without a screen looks at nothing, and who says nothing of itself is no browser
  for (const agent of ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0.0.0', 'curl/8.5.0', '']) {
    expect(isBot(agent)).toBe(true);
    expect(await view({ agent, address: '192.0.2.7' })).toBe(204);
  }
  expect(await figures()).toEqual(before);
});

test('requests that load nothing, or go on where one ended, are no downloads', async () => {
  const before = await figures();
  const loads: Array<[Asked, number]> = [
    [{ method: 'HEAD' }, 200],
    [{ method: 'OPTIONS' }, 204],
    [{ method: 'POST' }, 405],
    [{ headers: { range: 'bytes=2-' } }, 206],
    [{ headers: { range: 'bytes=99-' } }, 416],
    [{ headers: { 'if-match': '"other"' } }, 412],
  ];
  for (let n = 0; n < 60; n++) {
    const [asked, status] = loads[n % loads.length]!;
    expect(await load({ ...asked, address: `198.18.0.${n}` })).toBe(status);
  }
  expect(await figures()).toEqual(before);
  expect(await load({ headers: { range: 'bytes=0-2' } })).toBe(206);
  expect(await figures()).toEqual(figuresOf(1, 0));
});

test('one network that asks without end counts once in a flush and six times in its window', async () => {
  const { services } = api;
  const [clock, began] = [services.now, Date.now()];
  try {
    for (let flush = 0; flush < 10; flush++) {
      services.now = () => new Date(began + flush * 15_000);
      for (let n = 0; n < 30; n++)
        // one customer has a whole /64
        expect(await load({ address: `2001:db8:7:1:${n}:${flush}::1` })).toBe(200);
      expect(await figures()).toEqual(figuresOf(Math.min(flush + 1, 6), 0));
    }
    services.now = () => new Date(began + 150_000 + 6 * 3_600_000);
    await load({ address: '2001:db8:7:1::2' });
    expect((await figures()).downloads).toBe(7);
  } finally {
    services.now = clock;
  }
});

test('the same download told by ten mirrors counts once, and those of ten networks ten times', async () => {
  const mirrors = Array.from({ length: 10 }, (_, n) => `mirror-${n}.cdn.example`);
  for (const mirror of mirrors) expect(await told(mirror, '198.51.100.9')).toBe(204);
  // and the site itself answered it as well
  await load({ address: '198.51.100.9', agent: launcher });
  expect(await figures()).toEqual(figuresOf(1, 0));

  // told anew, each time later, as a mirror that retries does
  for (const mirror of mirrors) {
    await told(mirror, '198.51.100.9');
    await figures();
  }
  expect(await figures()).toEqual(figuresOf(6, 0));

  for (const [n, mirror] of mirrors.entries()) await told(mirror, `192.0.2.${n + 1}`);
  expect(await figures()).toEqual(figuresOf(16, 0));
  const stored = await database.sql`select to_jsonb(w)::text as text from download_windows w`;
  expect(stored.map(({ text }) => text).join()).not.toMatch(/198\.51|192\.0\.2/);
});
