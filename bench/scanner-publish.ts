import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';
import { zipOf } from '#db/testing/zips.ts';
import { childrenOf, type Product, startProduct } from './product.ts';
import { type Row, ratioAtMost } from './report.ts';

const rounds = 6;
const times = 10;

/** Publishes versions while their files are scanned, and while the process that scans is stopped, in turns. Adds to `rows`. */
export async function measurePublish(rows: Row[], library: Buffer): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-publish-'));
  const product = await startProduct(data_dir, Number(process.env.BENCH_PORT ?? 5395));
  try {
    const { session, project_id } = await creator(product);
    const scanning = childrenOf(product).find(({ name }) => /control/.test(name));
    if (!scanning) throw new Error('The product has no control plane.');
    const [beside, alone]: [number[], number[]] = [[], []];
    let number = 0;
    const publishSome = async (taken: number[]) => {
      for (let n = 0; n < times; n++)
        taken.push(await publish(product, { session, project_id, library, number: ++number }));
    };
    await publishSome([]);
    for (let round = 0; round < rounds; round++) {
      await wait(3_000); // what was published before is scanned
      await publishSome(beside);
      await wait(3_000);
      process.kill(scanning.pid, 'SIGSTOP');
      try {
        await publishSome(alone);
      } finally {
        process.kill(scanning.pid, 'SIGCONT');
      }
    }
    const [a, b] = [median(beside), median(alone)];
    rows.push(
      ratioAtMost(1.1, {
        name: 'scanner: publishing with scans to without',
        ratio: a / b,
        ours: `${a.toFixed(1)} ms`,
        baseline: `${b.toFixed(1)} ms`,
      }),
    );
  } finally {
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** Signs the demo's creator in; gives the session and one of their mods. */
async function creator({ url }: Product): Promise<{ session: string; project_id: string }> {
  const signed = await fetch(`${url}/_internal/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: demoAccounts[2], password: demoPassword }),
  });
  if (!signed.ok) throw new Error(`Sign-in answered ${signed.status}: ${await signed.text()}`);
  const name = 'auth-token=';
  const cookies = signed.headers.getSetCookie().map((line) => line.split(';')[0]!);
  const session = cookies.find((one) => one.startsWith(name))!.slice(name.length);
  const answer = await fetch(`${url}/v2/user/${demoAccounts[2]}/projects`);
  const projects = (await answer.json()) as Array<{ id: string; project_type: string }>;
  return { session, project_id: projects.find(({ project_type }) => project_type === 'mod')!.id };
}

interface Publishing {
  session: string;
  project_id: string;
  library: Buffer;
  number: number;
}

/** Publishes a version with a jar that contains a library; gives the milliseconds of the request. */
async function publish(
  { url }: Product,
  { session, project_id, library, number }: Publishing,
): Promise<number> {
  const about = { schemaVersion: 1, id: 'bench', version: String(number) };
  const jar = await zipOf({ 'fabric.mod.json': JSON.stringify(about), 'META-INF/jars/library.jar': library });
  const data = {
    ...{ project_id, name: `Bench ${number}`, version_number: `0.0.${number}`, version_type: 'release' },
    ...{ featured: false, dependencies: [], game_versions: ['1.21.1'], loaders: ['fabric'] },
    file_parts: ['file'],
  };
  const body = new FormData();
  body.set('data', JSON.stringify(data));
  body.set('file', new Blob([new Uint8Array(jar)]), `bench-${number}.jar`);
  const began = performance.now();
  const answer = await fetch(`${url}/v2/version`, {
    method: 'POST',
    headers: { authorization: session },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Publishing answered ${answer.status}: ${text}`);
  return performance.now() - began;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
