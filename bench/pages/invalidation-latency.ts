import { type ChildProcess, spawn } from 'node:child_process';
import { embeddedPostgresAddress } from '#db/platform/postgres/embedded-postgres.ts';
import { root } from '../../bin/install.mjs';
import type { Product } from '../product.ts';
import { atMost, type Row } from '../report.ts';
import { tokenOf } from '../upload.ts';

const edits = 5;

/** Time until both of two site processes show an edit; the maximum of several. */
export async function measureInvalidationLatency(product: Product): Promise<Row[]> {
  const { data_dir, url } = product;
  const port = Number(new URL(url).port) + 1;
  const second = spawn(process.execPath, ['site/server.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: data_dir,
      DATABASE_SOCKET: embeddedPostgresAddress(data_dir),
      PORT: String(port),
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const both = [url, `http://127.0.0.1:${port}`];
  try {
    await until(async () => (await fetch(`${both[1]}/readyz`).catch(() => null))?.ok ?? false);
    const authorization = tokenOf(data_dir);
    const path = await ownProject(url, authorization);
    let slowest = 0;
    for (let edit = 0; edit < edits; edit++) {
      const title = `Measured ${edit} ${Date.now()}`;
      await Promise.all(both.map((site) => shows(`${site}/project/${path}`, title)));
      const began = performance.now();
      const answer = await fetch(`${url}/v2/project/${path}`, {
        method: 'PATCH',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      });
      if (!answer.ok) throw new Error(`The edit was refused: ${await answer.text()}`);
      await until(async () =>
        (await Promise.all(both.map((site) => shows(`${site}/project/${path}`, title)))).every(Boolean),
      );
      slowest = Math.max(slowest, (performance.now() - began) / 1000);
    }
    return [atMost('an edit shows in two site processes, slowest', slowest, 2, 's')];
  } finally {
    await end(second);
  }
}

/** The slug of a project that the token's owner may edit. */
async function ownProject(url: string, authorization: string): Promise<string> {
  const user = (await (await fetch(`${url}/v2/user`, { headers: { authorization } })).json()) as {
    id: string;
  };
  const answer = await fetch(`${url}/v2/user/${user.id}/projects`);
  const [first] = ((await answer.json()) as Array<{ slug: string; status: string }>).filter(
    ({ status }) => status === 'approved',
  );
  if (!first) throw new Error('The demo creator has no project');
  return first.slug;
}

const shows = async (address: string, title: string): Promise<boolean> =>
  (await (await fetch(address, { headers: { accept: 'text/html' } })).text()).includes(title);

async function until(good: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    if (await good()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error('The change was not visible within a minute');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}
