import { setTimeout } from 'node:timers/promises';
import type { ControlClient } from '../../bin/cairn/control-client.ts';
import { rssOf } from '../../bin/process-memory.ts';
import type { Product } from '../product.ts';
import { atLeast, informational, type Row, ratioAtMost } from '../report.ts';
import { agentPid, createAccount, withSockets } from './fixtures.ts';

const lines = 20_000;
const people = 5;
const socketsEach = 20;
const limit_ms = 120_000;

interface Burst {
  /** Lines received by each viewer, of `lines`. */
  came: number[];
  seconds: number;
  agent_bytes: number;
}

/** Bursts of console lines to many viewers at once: lines received by each, and memory growth of the agent. */
export async function measureBurst(
  product: Product,
  owner: ControlClient,
  server_id: string,
): Promise<Row[]> {
  const tokens: string[] = [];
  for (let number = 0; number < people; number++)
    tokens.push(await createAccount(product, `viewer${number}`, 'admin'));
  const bursts: Burst[] = [];
  for (let round = 0; round < 3; round++)
    bursts.push(await withAll(product.url, tokens, (viewers) => burst(product, owner, viewers, server_id)));
  const worst = Math.min(...bursts.flatMap(({ came }) => came));
  const whole = bursts.flatMap(({ came }) => came).filter((count) => count === lines).length;
  const [first, , last] = bursts as [Burst, Burst, Burst];
  const mb = ({ agent_bytes }: Burst) => `${(agent_bytes / 1e6).toFixed(0)} MB`;
  const viewers = people * socketsEach;
  return [
    atLeast(`lines of ${lines} that came to the worst of ${viewers} viewers`, worst, lines, 'lines'),
    informational('viewers that got every line, of all bursts', `${whole} of ${viewers * bursts.length}`),
    informational('seconds for a burst', bursts.map(({ seconds }) => seconds.toFixed(1)).join(', ')),
    ratioAtMost(1.25, {
      name: 'memory of the agent after three bursts (after one)',
      ratio: last.agent_bytes / first.agent_bytes,
      ours: mb(last),
      baseline: mb(first),
    }),
  ];
}

const withAll = async <T>(
  url: string,
  tokens: string[],
  work: (planes: ControlClient[]) => Promise<T>,
): Promise<T> => {
  const open = async ([token, ...rest]: string[], planes: ControlClient[]): Promise<T> =>
    token === undefined
      ? await work(planes)
      : await withSockets({ url, token, host: 2 + rest.length, count: socketsEach }, (more) =>
          open(rest, [...planes, ...more]),
        );
  return await open(tokens, []);
};

async function burst(
  product: Product,
  owner: ControlClient,
  viewers: ControlClient[],
  server_id: string,
): Promise<Burst> {
  const marks = viewers.map(() => ({ came: 0, done: false }));
  for (const [place, { socket, request }] of viewers.entries()) {
    const mark = marks[place]!;
    socket.on('console', (update) => {
      for (const { stream, text } of update.lines) {
        if (stream === 'in' || !text.includes('spam ')) continue;
        mark.came += 1;
        if (text.includes(`spam ${lines} of `)) mark.done = true;
      }
    });
    await request('server.join', { server_id, rooms: ['console'] });
    Object.assign(mark, { came: 0, done: false }); // lines buffered before the burst
  }
  const began = performance.now();
  await owner.request('server.command', { server_id, text: `spam ${lines}` }, { once: true });
  for (const end = Date.now() + limit_ms; !marks.every(({ done }) => done) && Date.now() < end; )
    await setTimeout(100);
  const seconds = (performance.now() - began) / 1000;
  return { came: marks.map(({ came }) => came), seconds, agent_bytes: rssOf(agentPid(product)) };
}
