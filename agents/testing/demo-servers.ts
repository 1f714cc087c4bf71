import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { ServerSpec } from '#control/protocol/agent.ts';
import { kindOffers } from '../../db/hosting/server-kinds/rules.ts';
import { ensureImage } from '../images/ensure-image.ts';
import { kinds } from '../plan/kinds.ts';
import { freePort, testLabels } from './fixture.ts';
import { joinGame } from './minecraft-bot.ts';

const kind = kinds.local;
const uid = 20_000;

/** The image of the demo server, run by Docker alone as its kind says; call once for a test file. */
export function demoServers() {
  const docker = new Docker();
  const data = mkdtempSync(join(tmpdir(), 'cairn-kind-'));
  const containers: Docker.Container[] = [];
  let image = '';
  let open: NodeJS.ReadWriteStream | null = null;
  beforeAll(async () => {
    image = await ensureImage(docker, { build: 'local' }, console.log);
    chownSync(data, uid, uid);
  });
  afterEach(async () => {
    (open as unknown as { destroy(): void } | null)?.destroy();
    open = null;
    await Promise.all(containers.splice(0).map((one) => one.remove({ force: true, v: true })));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  /** Starts one and gives its container, its console output, and a function to write to its console. */
  async function start({
    game_version = kindOffers.local.advised!,
    ram_mb = 512,
    terms_accepted = true,
  } = {}) {
    const port = await freePort();
    const spec = {
      game_version,
      ram_mb,
      terms_accepted,
      loader: null,
      jvm_flags: [] as string[],
    } as ServerSpec;
    const container = await docker.createContainer({
      Image: image,
      Env: Object.entries(kind.env(spec)).map(([name, value]) => `${name}=${value}`),
      Labels: testLabels(),
      User: `${uid}:${uid}`,
      OpenStdin: true,
      ExposedPorts: { [`${kind.port}/tcp`]: {} },
      HostConfig: {
        Binds: [`${data}:${kind.data_dir}`],
        PortBindings: { [`${kind.port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
        ReadonlyRootfs: true,
        Tmpfs: kind.tmpfs,
        Memory: ram_mb * 1024 * 1024,
        MemorySwap: ram_mb * 1024 * 1024,
        PidsLimit: kind.pids,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        Init: true,
      },
    });
    containers.push(container);
    const stream = await container.attach({
      stream: true,
      stdin: true,
      stdout: true,
      stderr: true,
      hijack: true,
    });
    open = stream;
    let said = '';
    const take = {
      write(chunk: Buffer) {
        said += chunk;
      },
    };
    docker.modem.demuxStream(stream, take as never, take as never);
    await container.start();
    return {
      port,
      container,
      said: () => said,
      type: (line: string) => stream.write(`${line}\n`),
      says: (pattern: RegExp) =>
        vi.waitFor(() => expect(said).toMatch(pattern), { timeout: 60_000, interval: 50 }),
      async ended() {
        const { StatusCode } = (await container.wait()) as { StatusCode: number };
        const { State } = await container.inspect();
        return { code: StatusCode, oom: State.OOMKilled };
      },
    };
  }

  return { data, uid, kind, start };
}

/** A player of that version joins, hears and is heard; then the server stops when told. */
export async function playsVersion(
  { data, start }: ReturnType<typeof demoServers>,
  game_version: string,
): Promise<void> {
  const server = await start({ game_version });
  await server.says(kind.ready_pattern);
  const bot = await joinGame({ host: '127.0.0.1', port: server.port }, 'Mirelle', {
    version: game_version,
  });
  try {
    expect((await bot.where()).mode, 'the mode that its properties name').toBe('creative');
    bot.chat('the lanterns are lit');
    await server.says(/^\[[\d:]+\] \[INFO\]: <Mirelle> the lanterns are lit$/m);
    server.type('say welcome home');
    await bot.waitForText(/^\[Server\] welcome home$/);
    server.type('list');
    await server.says(/There are 1 players online: Mirelle/);
    server.type(kind.stop.command);
    expect(await server.ended()).toEqual({ code: 0, oom: false });
    await vi.waitFor(() => expect(bot.endReason()).toMatch(/Server closed|socketClosed/));
  } finally {
    await bot.leave();
  }
  expect(readdirSync(join(data, 'world', game_version))).toContain('level.dat');
  expect(readFileSync(join(data, 'server.properties'), 'utf8')).toContain('online-mode=false');
  // plain log lines: no prompt, no cursor, no colour
  expect(server.said()).not.toContain('\x1b');
  expect(server.said()).not.toMatch(/^>/m);
  expect(server.said()).not.toContain('DeprecationWarning');
}
