import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Door } from '#control/testing/plane-process.ts';
import { project, token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { ownSite, sessionCookie } from './testing/own-site.ts';

/** Two site processes on one database, each with its own page cache. Source: design §4.3. */
const database = testDatabase();
const settings = { LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' };
const first = ownSite(database, settings);
let door: Door;
// the files are the same, as on one machine
const shared = { DATA_DIR: first.env.DATA_DIR! };
const contacts = { STATUS_URL: 'https://status.example.org', CHAT_URL: 'https://chat.example.org' };
const second = ownSite(database, { ...settings, ...shared, ...contacts }, async ({ env }) => {
  door = new Door(database.address);
  env.DATABASE_URL = `postgres://cairn_site@127.0.0.1:${await door.open()}/${database.name}`;
});
const path = '/mod/first-stone';
let authorization = '';
let session = '';

beforeAll(async () => {
  const owner = await user(database.sql, { username: 'ada' });
  await project(database.sql, { slug: 'first-stone', title: 'First stone', owner });
  authorization = await token(database.sql, owner);
  const { name, value } = await sessionCookie(database.sql, owner);
  session = `${name}=${value}`;
  return () => door?.close();
});

const soon = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 60_000, interval: 50 });

/** What both answer at the project's page, anonymously or with a cookie. */
const both = (cookie?: string) =>
  Promise.all(
    [first, second].map(async ({ url }) => {
      const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}) };
      const answer = await fetch(url + path, { headers });
      const text = await answer.text();
      return { status: answer.status, text, kept: answer.headers.get('cache-control') ?? '' };
    }),
  );
const change = async (fields: object) => {
  const answer = await fetch(`${first.url}/v2/project/first-stone`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect(answer.status, await answer.clone().text()).toBe(204);
};
const statuses = (answers: Array<{ status: number }>) => answers.map(({ status }) => status);

describe('two processes of the site', () => {
  it('both show an edit, whichever process handled it', async () => {
    await soon(async () => expect(statuses(await both())).toEqual([200, 200]));
    await change({ title: 'Second stone' });
    await soon(async () => {
      for (const { text } of await both()) {
        expect(text).toContain('Second stone');
        expect(text).not.toContain('First stone');
      }
    });
  });

  it('send signed-in users the same bytes as everybody', async () => {
    await soon(async () => {
      const [everybody, person] = [await both(), await both(session)];
      expect(person.map(({ text }) => text)).toEqual(everybody.map(({ text }) => text));
    });
    for (const { text } of await both(session)) expect(text).not.toContain('ada@');
  });

  it('serve a hidden project to its members only, and no personal content to others', async () => {
    await change({ status: 'private', title: 'Secret stone' });
    await soon(async () => expect(statuses(await both())).toEqual([404, 404]));
    for (let round = 0; round < 2; round++) {
      for (const { status, text, kept } of await both(session)) {
        expect([status, kept]).toEqual([200, 'private, no-store']);
        expect(text).toContain('Secret stone');
      }
      for (const { status, text } of await both()) {
        expect(status).toBe(404);
        expect(text).not.toMatch(/Secret stone|Second stone/);
      }
    }
  });

  it('without a database they serve what the build rendered, and answer 503 with links to help', async () => {
    const prerendered = ['/news', '/legal/terms?hl=de-DE', '/docs', '/news/_payload.json'];
    const read = async () =>
      await Promise.all(
        prerendered.map(async (one) => {
          const answer = await fetch(second.url + one);
          return [one, answer.status, await answer.text()];
        }),
      );
    const before = await read();
    door.cut('refuse');
    expect(await read()).toEqual(before);
    expect(before.map(([, status]) => status)).toEqual([200, 200, 200, 200]);
    // a page that nobody asked for before: of the others there are saved copies
    const answer = await fetch(`${second.url}/mod/unseen-stone`, { headers: { accept: 'text/html' } });
    const text = await answer.text();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('cache-control')).not.toContain('public');
    for (const words of ['503', 'Uh oh!', 'Something went wrong.', 'Please try again in a few minutes.'])
      expect(text).toContain(words);
    expect(text).toContain('The database isn’t responding right now. Try again in a few seconds.');
    expect(text).toContain('<a href="https://status.example.org">Check the status page</a>');
    expect(text).toContain('<a href="https://chat.example.org">Join the community chat</a>');
  });
});
