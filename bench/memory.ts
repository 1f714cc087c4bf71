import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { removeLeftovers } from '../bin/containers.ts';
import { ensureDocker } from '../bin/docker.ts';
import { proportionalBytes } from '../bin/process-memory.ts';
import { childrenOf, type Product, startProduct } from './product.ts';
import { atMost, informational, type Row } from './report.ts';

const settle_ms = 60_000;
const mb = 1e6;

/**
 * Memory of the whole demo product without Postgres: the sum of the proportional set sizes of its processes, 60 s
 * after it was ready, without requests. They run on a copy of Node, since other programs with the same file would
 * share its pages and lower the result. Starts a Docker engine for the agent if none is running. Adds to `rows`.
 */
export async function measureMemory(rows: Row[]): Promise<void> {
  const port = Number(process.env.BENCH_PORT ?? 5390);
  const engine = await ensureDocker(console.log);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-memory-'));
  const node = join(folder, 'node');
  cpSync(process.execPath, node);
  try {
    for (const start of ['first', 'second']) {
      const product = await startProduct(
        join(folder, 'data'),
        port,
        { HOSTING: 'on', LOG_LEVEL: 'info' },
        node,
      );
      try {
        await setTimeout(settle_ms);
        rows.push(...memoryRows(product, `${start} start`));
      } finally {
        await product.stop();
      }
    }
  } finally {
    await removeLeftovers(folder);
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function memoryRows(product: Product, start: string): Row[] {
  const processes = [{ name: 'supervisor', pid: product.pid }, ...childrenOf(product)];
  const sizes = processes.map(({ name, pid }) => ({ name, bytes: proportionalBytes(pid) }));
  const sum = sizes.reduce((total, { bytes }) => total + bytes, 0);
  return [
    atMost(`memory of the idle demo product, ${start}`, sum / mb, 500, 'MB'),
    ...sizes.map(({ name, bytes }) =>
      name === 'supervisor'
        ? atMost(`memory of the supervisor, ${start}`, bytes / mb, 60, 'MB')
        : informational(`memory of the ${name}, ${start}`, `${(bytes / mb).toFixed(0)} MB`),
    ),
  ];
}

// `node bench/memory.ts PID...` measures running processes
if (import.meta.main) {
  for (const pid of process.argv.slice(2).map(Number))
    console.log(pid, `${(proportionalBytes(pid) / mb).toFixed(1)} MB`);
}
