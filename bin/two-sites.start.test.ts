import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { embeddedPostgresAddress } from '#db/embedded-postgres.ts';
import { root } from './install.mjs';
import { ownProduct, password, person } from './testing/own-product.ts';
import { cairn, freePort, strangersEnv } from './testing/product.ts';

/** Two site processes on one database, each with its own page cache. Source: design §4.3. */
const own = ownProduct({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0', HOSTING: 'off' });
const { env } = own;
const path = '/mod/first-stone';
let second: ChildProcess;
let sites: string[] = [];
let token = '';
let session = '';

beforeAll(async () => {
  const port = String(await freePort());
  sites = [own.site, `http://127.0.0.1:${port}`];
  second = spawn(process.execPath, ['site/server.ts'], {
    cwd: root,
    stdio: 'ignore',
    env: strangersEnv({
      ...env,
      PORT: port,
      NODE_ENV: 'production',
      DATABASE_SOCKET: embeddedPostgresAddress(env.DATA_DIR!),
      STATUS_URL: 'https://status.example.org',
      CHAT_URL: 'https://chat.example.org',
    }),
  });
  await soon(async () => expect((await fetch(`${sites[1]}/readyz`)).status).toBe(200));
  token = await person(own, 'ada');
  session = await signIn('ada', password);
  await publish();
}, 120_000);
afterAll(() => {
  second?.kill('SIGKILL');
});

const soon = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 60_000, interval: 50 });

/** The value of the session cookie. */
async function signIn(username: string, password: string): Promise<string> {
  const answer = await fetch(`${sites[0]}/_internal/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: sites[0]! },
    body: JSON.stringify({ username, password }),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.headers.get('set-cookie')!.split(';', 1)[0]!;
}

async function publish(): Promise<void> {
  const body = new FormData();
  const project = {
    title: 'First stone',
    slug: 'first-stone',
    description: 'The stone every way begins with.',
    body: '',
    client_side: 'required',
    server_side: 'optional',
    categories: [],
    license_id: 'MIT',
    is_draft: true,
    initial_versions: [],
  };
  body.append('data', new Blob([JSON.stringify(project)], { type: 'application/json' }));
  const headers = { authorization: token };
  const made = await fetch(`${sites[0]}/v2/project`, { method: 'POST', headers, body });
  expect(made.status, await made.clone().text()).toBe(200);
  await cairn(root, env, 'project', 'status', 'first-stone', 'approved');
}

/** What both answer at the project's page, anonymously or with a cookie. */
const both = (cookie?: string) =>
  Promise.all(
    sites.map(async (site) => {
      const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}) };
      const answer = await fetch(site + path, { headers });
      const text = await answer.text();
      return { status: answer.status, text, kept: answer.headers.get('cache-control') ?? '' };
    }),
  );
const change = async (fields: object) => {
  const answer = await fetch(`${sites[0]}/v2/project/first-stone`, {
    method: 'PATCH',
    headers: { authorization: token, 'content-type': 'application/json' },
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
          const answer = await fetch(sites[1] + one);
          return [one, answer.status, await answer.text()];
        }),
      );
    const before = await read();
    await own.product.end('SIGTERM');
    expect(await read()).toEqual(before);
    expect(before.map(([, status]) => status)).toEqual([200, 200, 200, 200]);
    // a page that nobody asked for before: of the others there are saved copies
    const answer = await fetch(`${sites[1]}/mod/unseen-stone`, { headers: { accept: 'text/html' } });
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
