import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadArchive } from './archive.ts';

const gib = 1024 ** 3;
let folder: string;
let servers: Server[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-collect-'));
  mkdirSync(join(folder, 'data/world'), { recursive: true });
  writeFileSync(join(folder, 'data/server.properties'), 'motd=Valley\n');
  writeFileSync(join(folder, 'data/world/level.dat'), Buffer.alloc(2_000_000, 7));
  symlinkSync('/etc/passwd', join(folder, 'data/link'));
});
afterAll(async () => {
  for (const server of servers) await new Promise((go) => server.close(go));
  rmSync(folder, { recursive: true, force: true });
});

async function plane(answer: RequestListener, at: number | string = 0): Promise<string> {
  const server = createServer(answer);
  servers = [...servers, server];
  await new Promise<void>((go) =>
    typeof at === 'string' ? server.listen(at, go) : server.listen(at, '127.0.0.1', go),
  );
  return typeof at === 'string' ? `unix:${at}` : `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function bodyOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

describe('a folder', () => {
  it('arrives as one tar.zst, over an address or a unix socket', async () => {
    for (const at of [0, join(folder, 'plane.sock')]) {
      let told: { path?: string; body: Buffer } | undefined;
      const url = await plane(async (req, res) => {
        told = { path: req.url!, body: await bodyOf(req) };
        res.end();
      }, at);
      const bytes = await uploadArchive(join(folder, 'data'), url, '/transfers?to=abc', gib);
      expect(told?.path).toBe('/transfers?to=abc');
      expect(told?.body.length).toBe(bytes);
      const list = execFileSync('tar', ['-tvf', '-'], {
        input: zstdDecompressSync(told!.body),
        encoding: 'utf8',
      });
      expect(list).toMatch(/2000000 .* \.\/world\/level\.dat/);
      expect(list).toContain('./server.properties');
      expect(list).toContain('link -> /etc/passwd');
    }
  });

  it('is sent without reading the holes of its files, up to a bound of what they say they have', async () => {
    const sparse = join(folder, 'sparse');
    mkdirSync(sparse);
    writeFileSync(join(sparse, 'hole'), 'begin');
    truncateSync(join(sparse, 'hole'), 1024 * gib);
    let body: Buffer = Buffer.alloc(0);
    const url = await plane(async (req, res) => {
      body = await bodyOf(req);
      res.end();
    });
    expect(await uploadArchive(sparse, url, '/transfers?to=abc', 1025 * gib)).toBe(body.length);
    expect(zstdDecompressSync(body).length, 'of the tar').toBeLessThan(100_000);
    await expect(uploadArchive(sparse, url, '/transfers?to=abc', gib)).rejects.toThrow('large holes');
  });

  it('that does not exist, or is refused, fails', async () => {
    const url = await plane(async (req, res) => {
      await bodyOf(req).catch(() => {});
      res.writeHead(404).end();
    });
    await expect(uploadArchive(join(folder, 'data'), url, '/transfers?to=abc', gib)).rejects.toThrow('404');
    await expect(uploadArchive(join(folder, 'nowhere'), url, '/transfers?to=abc', gib)).rejects.toThrow(
      'tar ended',
    );
    await expect(
      uploadArchive(join(folder, 'data'), 'http://127.0.0.1:9', '/transfers?to=abc', gib),
    ).rejects.toThrow();
  });
});
