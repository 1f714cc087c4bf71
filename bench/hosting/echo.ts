import { setTimeout } from 'node:timers/promises';
import Docker from 'dockerode';
import { labels } from '#agents/docker/client.ts';
import type { ControlClient } from '../../bin/cairn/control-client.ts';
import { informational, type Row, ratioAtMost } from '../report.ts';
import { openRelays } from './relays.ts';

const rounds = 150;
/** Before them, so that no code runs for the first time. */
const warm_up = 50;
/** A socket may send ten commands per second. */
const pace_ms = 120;
/** Waits until the previous line is fully processed. */
const rest_ms = 30;

/**
 * Time from a command to its console line, through the whole product and through a plain attach of Docker, in turns;
 * and the lower bound: the attach plus a bare relay through three processes.
 */
export async function measureEcho(plane: ControlClient, server_id: string): Promise<Row[]> {
  const docker = new Docker();
  const filters = { label: [`${labels.server}=${server_id}`] };
  const [found] = await docker.listContainers({ filters });
  const stream = await docker
    .getContainer(found!.Id)
    .attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true });
  await plane.request('server.join', { server_id, rooms: ['console'] });
  const relays = await openRelays();
  const times = { ours: [] as number[], raw: [] as number[], relayed: [] as number[] };
  for (let round = 0; round < warm_up; round++) {
    await echoOurs(plane, server_id, `warm-${round}.`);
    await setTimeout(pace_ms);
  }
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    times.raw.push(await echoRaw(stream, `raw-${round}.`));
    await setTimeout(rest_ms);
    times.relayed.push(await relays.echo());
    await setTimeout(rest_ms);
    times.ours.push(await echoOurs(plane, server_id, `ours-${round}.`));
    await setTimeout(Math.max(0, pace_ms - (performance.now() - began)));
  }
  stream.end();
  relays.close();
  await plane.request('server.leave', { server_id });
  const [ours, raw, relayed] = [p50(times.ours), p50(times.raw), p50(times.relayed)];
  const text = (list: number[], middle: number) =>
    `${middle.toFixed(1)} ms, p95 ${(list[Math.floor(list.length * 0.95)] ?? 0).toFixed(1)} ms`;
  return [
    ratioAtMost(1.5, {
      name: 'console command to its line, p50 (attach and three processes that only pass bytes on)',
      ratio: ours / (raw + relayed),
      ours: text(times.ours, ours),
      baseline: `${(raw + relayed).toFixed(1)} ms`,
    }),
    informational('Docker attach alone', text(times.raw, raw)),
  ];
}

const p50 = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

function echoRaw(stream: NodeJS.ReadWriteStream, mark: string): Promise<number> {
  return new Promise((done) => {
    const began = performance.now();
    let heard = '';
    const hear = (chunk: Buffer) => {
      heard += chunk;
      if (!heard.includes(mark)) return;
      stream.off('data', hear);
      done(performance.now() - began);
    };
    stream.on('data', hear);
    stream.write(`say ${mark}\n`);
  });
}

function echoOurs({ request, socket }: ControlClient, server_id: string, mark: string): Promise<number> {
  return new Promise((done, fail) => {
    const began = performance.now();
    const hear: Parameters<typeof socket.on<'console'>>[1] = ({ lines }) => {
      if (!lines.some(({ stream, text }) => stream !== 'in' && text.includes(mark))) return;
      socket.off('console', hear);
      done(performance.now() - began);
    };
    socket.on('console', hear);
    request('server.command', { server_id, text: `say ${mark}` }, { once: true }).catch(fail);
  });
}
