import { setTimeout } from 'node:timers/promises';
import { atLeast, informational, type Row } from '../report.ts';
import type { Installation } from './installation.ts';
import { updateIn, type Viewer } from './viewer.ts';
import { closeAll, openViewers } from './watch.ts';

const lines = 20_000;
const viewers_each = 50;
const limit_ms = 120_000;

/** Counts the lines that a viewer got in their order, each once, until the last one. */
function count(viewer: Viewer): { came: number; done: Promise<void> } {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const counted = { came: 0, done };
  viewer.onUpdate = (text) => {
    for (const line of updateIn(text).lines) {
      const number = Number(line.text.split(' ')[2]);
      if (number === counted.came + 1) counted.came = number;
      if (number === lines) resolve();
    }
  };
  return counted;
}

/** A burst of lines to viewers of both planes at once: what came to each of them in order and without a gap. */
export async function measureSpreadBurst(installation: Installation): Promise<Row[]> {
  const server_id = installation.servers[2]!;
  const places = installation.planes.map(({ url }) =>
    openViewers(installation, { url, server_id, count: viewers_each }),
  );
  const viewers = (await Promise.all(places)).flat();
  const counted = viewers.map(count);
  const began = performance.now();
  installation.print({ server_id, count: lines });
  await Promise.race([Promise.all(counted.map(({ done }) => done)), setTimeout(limit_ms)]);
  const seconds = (performance.now() - began) / 1000;
  const worst = (from: number) =>
    Math.min(...counted.slice(from, from + viewers_each).map(({ came }) => came));
  await closeAll(viewers);
  return [
    ...['with the agent', 'without it'].map((which, plane) =>
      atLeast(
        `lines of ${lines} that came to the worst of ${viewers_each} viewers of the plane ${which}`,
        worst(plane * viewers_each),
        lines,
        'lines',
      ),
    ),
    informational(`seconds for ${lines} lines to viewers of both planes`, seconds.toFixed(1)),
  ];
}
