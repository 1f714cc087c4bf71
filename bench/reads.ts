import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { demoId } from '#db/demo/plan.ts';
import { versionFileKey } from '#db/storage/url.ts';
import { compare, type Load } from './measure.ts';
import { type Product, startBaseline } from './product.ts';
import type { Row } from './report.ts';

const project = demoId('project lanternroot');

/**
 * One project by API, a cached page and a download, each compared with a bare server that does the minimum for the
 * same bytes.
 */
export async function measureReads(product: Product): Promise<Row[]> {
  const { url, data_dir } = product;
  const page = await keepPage(`${url}/mod/lanternroot`, join(data_dir, 'bench-page'));
  const big = join(data_dir, 'objects', versionFileKey(project, 'benchbig', 'big.jar'));
  await mkdir(dirname(big), { recursive: true });
  writeFileSync(big, randomBytes(4 * 1024 * 1024));

  const bare = await startBaseline({
    DATABASE: databaseOf(data_dir),
    BYTES: page.file,
    HEADERS: JSON.stringify(page.headers),
    FILE: big,
  });
  try {
    return [
      await compare(
        'GET /v2/project/{id} to bare HTTP with the same read',
        0.5,
        { url: `${url}/v2/project/${project}` },
        { url: `${bare.url}/query/${project}` },
      ),
      await compare(
        'update_many of 500 hashes to one hash',
        1 / 5,
        updatesOf(url, await hashesOf(url, 500)),
        updatesOf(url, await hashesOf(url, 1)),
      ),
      await compare(
        'cached page to bare HTTP with the same bytes',
        0.5,
        { url: `${url}/mod/lanternroot`, headers: browser },
        { url: `${bare.url}/bytes`, headers: browser },
      ),
      await compare(
        'download to a bare stream',
        0.7,
        { url: `${url}/${versionFileKey(project, 'benchbig', 'big.jar')}` },
        { url: `${bare.url}/stream` },
      ),
    ];
  } finally {
    await bare.stop();
  }
}

export const browser = { accept: 'text/html', 'accept-encoding': 'br', 'accept-language': 'en-US' };

/** Body and headers of the page as a browser gets them, once it is cached; stores the body in `file`. */
export async function keepPage(
  url: string,
  file: string,
): Promise<{ file: string; headers: Record<string, string> }> {
  await (await fetch(url, { headers: browser })).arrayBuffer();
  const { request } = await import('node:http');
  // node:http keeps the compressed body, fetch would decompress it
  return await new Promise((done, fail) => {
    request(url, { headers: browser }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      writeFileSync(file, Buffer.concat(chunks));
      const { connection: _c, 'keep-alive': _k, 'transfer-encoding': _t, ...headers } = answer.headers;
      done({ file, headers: headers as Record<string, string> });
    })
      .on('error', fail)
      .end();
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

const updatesOf = (url: string, hashes: string[]): Load => ({
  url: `${url}/v2/version_files/update_many`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ algorithm: 'sha1', hashes, loaders: ['fabric'], game_versions: ['1.21.4'] }),
});

/** Socket of the embedded Postgres of a running product, from its lock file. */
function databaseOf(data_dir: string): string {
  const lines = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return lines[4] ?? '';
}
