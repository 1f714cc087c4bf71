import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import type { Product } from './product.ts';
import { informational, type Row } from './report.ts';
import { residentBytes } from './resident.ts';

const mib = 1024 * 1024;

/** Publishes a version of almost 500 MiB through v2 or v3 and samples the memory of the site process. */
export async function measureUpload({ url, data_dir }: Product, version: 2 | 3): Promise<Row> {
  const file = join(data_dir, 'bench-big.jar');
  await writeJar(file, 499 * mib);
  const headers = { authorization: tokenOf(data_dir) };
  const id = await createBenchProject(url, headers.authorization);

  const before = await residentBytes(url);
  let peak = before;
  const watch = setInterval(
    () => void residentBytes(url).then((bytes) => (peak = Math.max(peak, bytes))),
    250,
  );
  const began = performance.now();
  const body = form({
    project_id: id,
    file_parts: ['file'],
    version_number: '1.0.0',
    version_title: 'Large',
    dependencies: [],
    game_versions: ['1.21.4'],
    release_channel: 'release',
    loaders: ['fabric'],
    featured: false,
    ...(version === 3 ? { environment: 'client_and_server' } : {}),
  });
  body.append('file', await openAsBlob(file), 'large.jar');
  const answer = await fetch(`${url}/v${version}/version`, { method: 'POST', headers, body });
  const took = (performance.now() - began) / 1000;
  clearInterval(watch);
  await rm(file);
  if (!answer.ok) throw new Error(`Could not upload the large version: ${await answer.text()}`);
  const grown = `memory +${((peak - before) / mib).toFixed(0)} MiB (peak ${(peak / mib).toFixed(0)})`;
  return informational(
    `upload of 499 MiB by v${version}`,
    `${took.toFixed(1)} s, ${grown}`,
    'constant memory',
  );
}

function form(data: object): FormData {
  const body = new FormData();
  body.append('data', new Blob([JSON.stringify(data)], { type: 'application/json' }));
  return body;
}

/** A draft of a project; gives its id. */
export async function createBenchProject(url: string, authorization: string): Promise<string> {
  const made = await fetch(`${url}/v2/project`, {
    method: 'POST',
    headers: { authorization },
    body: form({
      title: 'Bench upload',
      slug: `bench-${Date.now()}`,
      description: 'Measured and thrown away.',
      body: '',
      client_side: 'required',
      server_side: 'optional',
      categories: [],
      license_id: 'MIT',
      is_draft: true,
      initial_versions: [],
    }),
  });
  if (!made.ok) throw new Error(`Could not create the bench project: ${await made.text()}`);
  return ((await made.json()) as { id: string }).id;
}

/** A jar of almost `size` bytes, without compression. */
export async function writeJar(path: string, size: number): Promise<void> {
  const jar = new yazl.ZipFile();
  jar.addBuffer(
    Buffer.from(JSON.stringify({ schemaVersion: 1, id: 'bench', version: '1.0.0' })),
    'fabric.mod.json',
  );
  const block = randomBytes(mib);
  const blocks = Readable.from(
    (function* () {
      for (let at = 0; at < size - mib; at += mib) yield block;
    })(),
  );
  jar.addReadStream(blocks, 'data.bin', { compress: false });
  jar.end();
  await pipeline(jar.outputStream, createWriteStream(path));
}

/** A token of the demo creator with all scopes, valid for a day. */
export function tokenOf(data_dir: string): string {
  const args = ['bin/cairn.ts', 'token', 'create', '--user', 'creator', '--scopes', 'all', '--days', '1'];
  const made = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: data_dir },
  });
  if (made.status !== 0) throw new Error(`Could not create a token: ${made.stderr}`);
  return made.stdout.trim();
}
