import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Docker from 'dockerode';
import { pino } from 'pino';
import { startAgent } from '#agents/agent.ts';
import { labels } from '#agents/docker/client.ts';
import { ping } from '#agents/server/status-ping.ts';
import { FakePlane } from '#agents/testing/fake-plane.ts';
import { tryLogin } from '#agents/testing/game-client.ts';
import { median, seconds } from '../measure.ts';
import { type Row, ratioAtMost } from '../report.ts';

const rounds = Number(process.env.BENCH_WAKES ?? 5);
const [host, port] = ['127.0.0.1', 20_999];
const id = 'Sleeper1';

/**
 * From the moment at which a player joins a sleeping server until the game answers, compared with a start by its owner and a
 * player who joins as soon as it runs; in turns. Needs Docker.
 */
export async function measureWake(): Promise<Row> {
  const plane = new FakePlane(`bench-${randomBytes(6).toString('hex')}`);
  await plane.listen();
  const data = mkdtempSync(join(tmpdir(), 'cairn-bench-sleep-'));
  const agent = startAgent({
    settings: {
      urls: [plane.url],
      join: 'join-me',
      data,
      disk: 'measured',
      log_level: 'silent',
      allow_private: true,
    },
    log: pino({ level: 'silent' }),
    onRejected: (error) => {
      throw error;
    },
  });
  try {
    await until(() => plane.socket !== null);
    const times = { plain: [] as number[], woken: [] as number[] };
    const game = { ram_mb: 1_024, cpu_millis: 2_000, port, sleep: { after_minutes: 0.02, motd: '' } };
    await plane.setDesired(id, game);
    await until(() => plane.of(id, 'server.installed').length > 0);
    for (let round = 0; round <= rounds; round++) {
      const plain = await seconds(async () => {
        await plane.setDesired(id, { power: 'on' });
        await until(() => plane.power(id) === 'running');
        await login();
      });
      await until(isAsleep(plane));
      while (!(await ping(host, port))) await setTimeout(10);
      const woken = await seconds(login);
      await plane.setDesired(id, { power: 'off' });
      await until(() => plane.power(id) === 'stopped');
      // the first one fills caches
      if (round === 0) continue;
      times.plain.push(plain);
      times.woken.push(woken);
    }
    const [ours, baseline] = [median(times.woken), median(times.plain)];
    return ratioAtMost(1.3, {
      name: 'a player wakes a sleeping server, until the game answers',
      ratio: ours / baseline,
      ours: `${ours.toFixed(1)} s`,
      baseline: `${baseline.toFixed(1)} s for a start and a join after it`,
    });
  } finally {
    agent.close();
    await plane.close();
    await removeContainers(plane.installation);
    rmSync(data, { recursive: true, force: true });
  }
}

/** Joins until the game accepts the login, and leaves. */
async function login(): Promise<void> {
  const answer = await tryLogin({ host, port });
  if (answer !== 'let in') throw new Error(`the login was ${answer}`);
}

const isAsleep = (plane: FakePlane) => () => plane.of(id, 'server.power').at(-1)?.data.sleeping === true;

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 240_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('the server did not come into the state that is measured');
    await setTimeout(10);
  }
}

async function removeContainers(installation: string): Promise<void> {
  const docker = new Docker();
  const label = [`${labels.installation}=${installation}`];
  const own = await docker.listContainers({ all: true, filters: { label } });
  await Promise.all(own.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
}
