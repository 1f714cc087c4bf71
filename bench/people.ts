import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';
import { hashPassword, verifyPassword } from '#db/platform/people/password.ts';
import { startProduct } from './product.ts';
import { type Row, ratioAtMost } from './report.ts';

const times = 60;

/** Starts the product and compares signing in with the bare hash of a password. Adds to `rows`. */
export async function measurePeople(rows: Row[]): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  const product = await startProduct(data_dir, Number(process.env.BENCH_PORT ?? 5392));
  try {
    rows.push(await signingIn(product.url));
  } finally {
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** One sign-in after the other, and one check of a password after the other, in turns: medians. */
async function signingIn(url: string): Promise<Row> {
  const [username = ''] = demoAccounts;
  const password = demoPassword;
  const hash = await hashPassword(password);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < times; i++) {
    bare.push(await timed(() => verifyPassword(hash, password)));
    ours.push(await timed(() => signIn(url, username, password)));
  }
  const [a, b] = [median(ours), median(bare)];
  return ratioAtMost(1.3, {
    name: 'sign-in to the bare hash',
    ratio: a / b,
    ours: `${a.toFixed(1)} ms`,
    baseline: `${b.toFixed(1)} ms`,
  });
}

async function signIn(url: string, username: string, password: string): Promise<void> {
  const answer = await fetch(`${url}/_internal/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username, password }),
  });
  if (!answer.ok) throw new Error(`Sign-in answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
