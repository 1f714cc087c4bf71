import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { buildProduct, importBase } from './testing/image.ts';
import { freePort } from './testing/product.ts';

/** The Dockerfile, built without a registry and run as in docker-compose.yml; Postgres is the one from npm. */
const docker = new Docker();
const run = `soak-${process.pid}`;
const [base, image] = [`cairn-soak-base:${run}`, `cairn-soak:${run}`];
const folder = mkdtempSync(join(tmpdir(), 'cairn-soak-'));
const agentData = join(folder, 'agent');
let postgres: EmbeddedPostgres;
let env: string[] = [];
let site = '';
let plane = '';

beforeAll(async () => {
  await importBase(docker, base);
  await buildProduct(docker, image, base);
  mkdirSync(agentData);
  postgres = await startPostgres(folder, ['fsync=off'], { trust: true });
  chmodSync(postgres.address, 0o711); // otherwise only its own user may connect
  const [door, own] = [await freePort(), await freePort()];
  [site, plane] = [`http://127.0.0.1:${door}`, `http://127.0.0.1:${own}`];
  env = [
    ...['SEED=none', 'HOST=127.0.0.1', `PORT=${door}`, 'DATABASE_SOCKET=/postgres', 'LOG_LEVEL=warn'],
    ...[`SITE_URL=${site}`, `CONTROL_URL=${plane}`],
  ];
});
afterAll(async () => {
  const filters = { label: [`cairn.test=${process.pid}`] };
  const left = await docker.listContainers({ all: true, filters });
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  await docker.getVolume(run).remove();
  for (const name of [image, base]) await docker.getImage(name).remove({ force: true });
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A service as in the compose file: read-only, without capabilities, as an unprivileged user. */
async function service(
  Cmd: string[],
  { Env = env, User = '', Binds = [] as string[], CapAdd = [] as string[] } = {},
) {
  const container = await docker.createContainer({
    ...{ Image: image, Cmd, Env, User, Labels: { 'cairn.test': String(process.pid) } },
    HostConfig: {
      ...{ NetworkMode: 'host', ReadonlyRootfs: true, Init: true, CapDrop: ['ALL'], CapAdd },
      SecurityOpt: ['no-new-privileges:true'],
      Tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=256m' },
      Binds: Binds.length > 0 ? Binds : [`${run}:/data`, `${postgres.address}:/postgres`],
    },
  });
  await container.start();
  return container;
}
const said = async (container: Docker.Container): Promise<string> =>
  (await container.logs({ stdout: true, stderr: true })).toString('utf8').replace(/^.{8}/gm, '');
async function ended(container: Docker.Container): Promise<string> {
  const { StatusCode } = (await container.wait()) as { StatusCode: number };
  const words = await said(container);
  expect(StatusCode, words).toBe(0);
  return words;
}
const cairn = async (...words: string[]) => ended(await service(['node', 'bin/cairn.ts', ...words]));
const ready = (address: string, container: Docker.Container) =>
  vi.waitFor(
    async () => {
      const answer = await fetch(`${address}/readyz`).catch(() => null);
      expect(answer?.status, await said(container)).toBe(200);
    },
    { timeout: 120_000, interval: 500 },
  );

describe('the image of production', () => {
  it('migrates the schema, then runs control plane and site as a user who cannot change the code', async () => {
    await cairn('migrate');
    const control = await service(['node', 'control-plane/main.ts']);
    await ready(plane, control);
    const front = await service([...((await docker.getImage(image).inspect()).Config.Cmd as string[])]);
    await ready(site, front);
    const home = await fetch(site, { headers: { accept: 'text/html' } });
    expect(home.status).toBe(200);
    expect(await (await fetch(`${site}/v2/search`)).json()).toMatchObject({ total_hits: 0 });
    for (const container of [control, front])
      expect((await container.inspect()).Config.User).toBe('1000:1000');
    const look =
      "const { uid, mode } = require('fs').statSync('site/server.ts'); console.log(uid, mode & 0o022)";
    expect((await ended(await service(['node', '-e', look]))).trim()).toBe('0 0');
  });

  it('runs an agent that joins by a token, with the engine’s socket and three capabilities', async () => {
    const command = await cairn(
      'node',
      'add',
      'stone',
      '--address',
      '127.0.0.1',
      '--region',
      'western-europe',
    );
    const token = /--join (\S+)/.exec(command)![1]!;
    const agent = await service(['node', 'agents/main.ts'], {
      Env: [`CAIRN_AGENT_URL=${site}`, `CAIRN_AGENT_JOIN=${token}`, `CAIRN_AGENT_DATA=${agentData}`],
      User: '0:0',
      Binds: ['/var/run/docker.sock:/var/run/docker.sock', `${agentData}:${agentData}`],
      CapAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
    });
    await vi.waitFor(
      async () => {
        const [node] = JSON.parse(await cairn('node', 'list', '--json')) as Array<{
          state: string;
          status: string;
        }>;
        expect(node, await said(agent)).toMatchObject({ status: 'online' });
      },
      { timeout: 120_000, interval: 2_000 },
    );
  });
});
