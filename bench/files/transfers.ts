import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { ControlClient } from '../../bin/cairn/control-client.ts';
import { sendFile } from '../../bin/cairn/upload-to-server.ts';
import { median, seconds } from '../measure.ts';
import { type Row, ratioAtLeast } from '../report.ts';
import { openBareChain } from './bare-chain.ts';

const mib = 1024 * 1024;
const rounds = 5;

interface Way {
  url: string;
  plane: ControlClient;
  server_id: string;
  /** The files of the server. */
  folder: string;
}

/**
 * Download and upload of a large file (BENCH_FILE_MB) through site, control plane and agent, and the same bytes from and to the
 * same disk through as many bare processes, in turns.
 */
export async function measureTransfers({ url, plane, server_id, folder }: Way): Promise<Row[]> {
  const bytes = Number(process.env.BENCH_FILE_MB ?? 256) * mib;
  const [file, stored] = [join(folder, 'large'), join(folder, 'bare-upload')];
  writeFileSync(file, Buffer.concat(Array.from({ length: bytes / mib }, () => randomBytes(mib))));
  const bare = await openBareChain({ file, stored });
  const times = { download: [], bareDownload: [], upload: [], bareUpload: [] } as Record<string, number[]>;
  try {
    for (let round = 0; round < rounds; round++) {
      times.bareDownload!.push(await seconds(() => download(bare.url, bytes)));
      times.download!.push(
        await seconds(async () => {
          const wanted = { server_id, paths: ['large'], as: 'file' as const };
          const { address } = await plane.request('files.download', wanted);
          await download(`${url}${address}`, bytes);
        }),
      );
      times.bareUpload!.push(await seconds(() => put(bare.url, file, bytes)));
      times.upload!.push(
        await seconds(async () => {
          const upload_id = randomUUID();
          const begun = await plane.request('files.upload', {
            server_id,
            upload_id,
            path: 'uploaded',
            bytes,
          });
          await sendFile(`${url}${begun.address}`, file, bytes);
          await plane.request('files.place', { server_id, upload_id, on_conflict: 'refuse' });
        }),
      );
      rmSync(join(folder, 'uploaded'));
      rmSync(stored);
    }
  } finally {
    bare.close();
  }
  const compare = (name: string, ours: string, baseline: string): Row => {
    const [is, was] = [median(times[ours]!), median(times[baseline]!)];
    const shown = (time: number) => `${(bytes / mib / time).toFixed(0)} MB/s`;
    return ratioAtLeast(0.7, {
      name,
      ratio: was / is,
      ours: shown(is),
      baseline: `${shown(was)}, three bare processes`,
    });
  };
  const size = `${bytes / mib} MB`;
  return [
    compare(`download of a file of ${size}`, 'download', 'bareDownload'),
    compare(`upload of a file of ${size}`, 'upload', 'bareUpload'),
  ];
}

/** Reads everything and forgets it. */
const download = (url: string, bytes: number): Promise<void> =>
  new Promise((done, fail) => {
    get(url, { agent: false }, (answer) => {
      let got = 0;
      answer.on('data', (chunk: Buffer) => {
        got += chunk.length;
      });
      answer.once('error', fail);
      answer.once('end', () =>
        answer.statusCode === 200 && got === bytes
          ? done()
          : fail(new Error(`${url} answered ${answer.statusCode} with ${got} bytes`)),
      );
    }).once('error', fail);
  });

async function put(url: string, file: string, bytes: number): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { 'content-length': String(bytes) },
    body: createReadStream(file),
    duplex: 'half',
  } as unknown as RequestInit);
  if (!answer.ok) throw new Error(`the bare processes answered ${answer.status}`);
}
