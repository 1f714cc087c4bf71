import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { demoId } from '#db/demo/plan.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import type { KeptAnswer } from './baseline.ts';
import { compare, type Load } from './measure.ts';
import { type Product, startBaseline } from './product.ts';
import type { Row } from './report.ts';

const project = demoId('project lanternroot');

/**
 * Reads by API, a cached page and a download, each compared with a bare server that does the minimum for the same bytes.
 */
export async function measureReads(product: Product): Promise<Row[]> {
  const { url, data_dir } = product;
  const big = join(data_dir, 'objects', versionFileKey(project, 'benchbig', 'big.jar'));
  await mkdir(dirname(big), { recursive: true });
  writeFileSync(big, randomBytes(4 * 1024 * 1024));
  const ready = await readyAnswers(url);
  const kept = [];
  for (const { load } of ready)
    kept.push(await keepAnswer(load, join(data_dir, `bench-answer-${kept.length}`)));

  const bare = await startBaseline({
    DATABASE: databaseOf(data_dir),
    KEPT: JSON.stringify(kept),
    FILE: big,
  });
  try {
    const rows = [
      await compare(
        'GET /v2/project/{id} to bare HTTP with the same read',
        0.5,
        { url: `${url}/v2/project/${project}` },
        { url: `${bare.url}/query/${project}` },
      ),
      await compare(
        'update_many of 500 hashes to one hash',
        1 / 5,
        updatesOf(url, 'update_many', await hashesOf(url, 500)),
        updatesOf(url, 'update_many', await hashesOf(url, 1)),
      ),
    ];
    for (const [at, { name, target, load }] of ready.entries())
      rows.push(
        await compare(`${name} to bare HTTP with the same bytes`, target, load, {
          ...load,
          url: `${bare.url}/bytes/${at}`,
        }),
      );
    const file = { url: `${url}/${versionFileKey(project, 'benchbig', 'big.jar')}` };
    rows.push(await compare('download to a bare stream', 0.7, file, { url: `${bare.url}/stream` }));
    return rows;
  } finally {
    await bare.stop();
  }
}

export const browser = { accept: 'text/html', 'accept-encoding': 'br', 'accept-language': 'en-US' };
const zipped = { 'accept-encoding': 'gzip' };

/** What is sent from ready bytes, with the share of a bare server's speed that it has to reach. */
async function readyAnswers(url: string): Promise<Array<{ name: string; target: number; load: Load }>> {
  const api = (path: string, target: number, headers?: Load['headers'], name = path) => ({
    name: `GET ${name}${headers ? ', gzip' : ''}`,
    target,
    load: { url: url + path, ...(headers && { headers }) },
  });
  const hashes = await hashesOf(url, 100);
  const versions = (await (await fetch(`${url}/v2/project/${project}/version`)).json()) as Array<{
    id: string;
  }>;
  const one = '/v2/project/{id}';
  return [
    { name: 'cached page', target: 0.5, load: { url: `${url}/mod/lanternroot`, headers: browser } },
    api(`/v2/project/${project}`, 0.4, undefined, one),
    api(`/v2/project/${project}`, 0.4, zipped, one),
    api(`/v2/project/${project}/version`, 0.4, undefined, `${one}/version`),
    api(`/v2/version/${versions[0]!.id}`, 0.4, undefined, '/v2/version/{id}'),
    api(`/v2/version_file/${hashes[0]}`, 0.4, undefined, '/v2/version_file/{hash}'),
    api('/v2/tag/game_version', 0.4),
    { name: 'version_files of 100 hashes', target: 0.12, load: versionsOf(url, hashes) },
    {
      name: 'version_files/update of 100 hashes',
      target: 0.12,
      load: updatesOf(url, 'update', hashes),
    },
  ];
}

/** Body and headers of an answer as a client gets them, once it is cached; stores the body in `file`. */
export async function keepAnswer({ url, headers = {}, body }: Load, file: string): Promise<KeptAnswer> {
  const method = body === undefined ? 'GET' : 'POST';
  await (await fetch(url, { method, headers, ...(body !== undefined && { body }) })).arrayBuffer();
  const { request } = await import('node:http');
  // node:http keeps the compressed body, fetch would decompress it
  return await new Promise((done, fail) => {
    request(url, { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      writeFileSync(file, Buffer.concat(chunks));
      const { connection: _c, 'keep-alive': _k, 'transfer-encoding': _t, ...kept } = answer.headers;
      done({ file, headers: kept as Record<string, string> });
    })
      .on('error', fail)
      .end(body);
  });
}

/** Hashes of files of the catalogue, as many as there are up to `count`; the others are of no file. */
async function hashesOf(url: string, count: number): Promise<string[]> {
  const { hits } = (await (await fetch(`${url}/v2/search?limit=100`)).json()) as {
    hits: Array<{ latest_version: string }>;
  };
  const ids = JSON.stringify(hits.map(({ latest_version }) => latest_version).filter((id) => id !== ''));
  const versions = (await (
    await fetch(`${url}/v2/versions?ids=${encodeURIComponent(ids)}`)
  ).json()) as Array<{
    files: Array<{ hashes: { sha1: string } }>;
  }>;
  const known = versions.flatMap(({ files }) => files.map(({ hashes }) => hashes.sha1));
  const others = Array.from({ length: count }, () => randomBytes(20).toString('hex'));
  return [...known, ...others].slice(0, count);
}

const versionsOf = (url: string, hashes: string[]): Load => ({
  url: `${url}/v2/version_files`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ algorithm: 'sha1', hashes }),
});

const updatesOf = (url: string, route: 'update' | 'update_many', hashes: string[]): Load => ({
  url: `${url}/v2/version_files/${route}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ algorithm: 'sha1', hashes, loaders: ['fabric'], game_versions: ['1.21.4'] }),
});

/** Socket of the embedded Postgres of a running product, from its lock file. */
function databaseOf(data_dir: string): string {
  const lines = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return lines[4] ?? '';
}
