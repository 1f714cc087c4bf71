import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { ControlClient } from '../../bin/cairn/control-client.ts';
import { sendFile } from '../../bin/cairn/server/upload-to-server.ts';
import { median, seconds } from '../measure.ts';
import { type Row, ratioAtLeast } from '../report.ts';
import { openBareChain } from './bare-chain.ts';

const mib = 1024 * 1024;
const rounds = 5;

/** Seconds, and seconds of the processor. */
interface Round {
  time: number;
  cpu: number;
}

interface Way {
  /** Through site and control plane, or at the port of the agent. */
  by: 'site' | 'port';
  agent_pid: number;
  url: string;
  plane: ControlClient;
  server_id: string;
  /** The files of the server. */
  folder: string;
}

/**
 * Download and upload of a large file (BENCH_FILE_MB) through site, control plane and agent, or to the agent alone, and the same
 * bytes from and to the same disk through as many bare processes, in turns. Processor time is that of the agent and of the bare
 * process that has the disk.
 */
export async function measureTransfers({
  by,
  agent_pid,
  url,
  plane,
  server_id,
  folder,
}: Way): Promise<Row[]> {
  const bytes = Number(process.env.BENCH_FILE_MB ?? 256) * mib;
  const [file, stored] = [join(folder, 'large'), join(folder, 'bare-upload')];
  writeFileSync(file, Buffer.concat(Array.from({ length: bytes / mib }, () => randomBytes(mib))));
  const bare = await openBareChain({ file, stored }, by === 'site' ? 3 : 1);
  const toAddress = ({ address, direct }: { address: string; direct?: string | undefined }) =>
    by === 'site' ? url + address : direct!;
  const measured = { download: [], bareDownload: [], upload: [], bareUpload: [] } as Record<string, Round[]>;
  const round = async (name: string, pid: number, work: () => Promise<unknown>) => {
    const before = cpuSeconds(pid);
    const time = await seconds(work);
    measured[name]!.push({ time, cpu: cpuSeconds(pid) - before });
  };
  try {
    for (let done = 0; done < rounds; done++) {
      await round('bareDownload', bare.last_pid, () => download(bare.url, bytes));
      await round('download', agent_pid, async () => {
        const wanted = { server_id, paths: ['large'], as: 'file' as const };
        await download(toAddress(await plane.request('files.download', wanted)), bytes);
      });
      await round('bareUpload', bare.last_pid, () => put(bare.url, file, bytes));
      await round('upload', agent_pid, async () => {
        const upload_id = randomUUID();
        const begun = await plane.request('files.upload', {
          server_id,
          upload_id,
          path: 'uploaded',
          bytes,
        });
        await sendFile(toAddress(begun), file, bytes);
        await plane.request('files.place', { server_id, upload_id, on_conflict: 'refuse' });
      });
      rmSync(join(folder, 'uploaded'));
      rmSync(stored);
    }
  } finally {
    bare.close();
  }
  const compare = (name: string, ours: string, baseline: string): Row => {
    const [is, was] = [ours, baseline].map((one) => ({
      time: median(measured[one]!.map(({ time }) => time)),
      cpu: median(measured[one]!.map(({ cpu }) => cpu)),
    })) as [Round, Round];
    const shown = ({ time, cpu }: Round) =>
      `${(bytes / mib / time).toFixed(0)} MB/s, ${cpu.toFixed(2)} s of processor`;
    const what = by === 'site' ? 'three bare processes' : 'one bare server';
    return ratioAtLeast(0.7, {
      name,
      ratio: was.time / is.time,
      ours: shown(is),
      baseline: `${shown(was)}, ${what}`,
    });
  };
  const size = `${bytes / mib} MB${by === 'site' ? '' : ' at the port of an agent'}`;
  return [
    compare(`download of a file of ${size}`, 'download', 'bareDownload'),
    compare(`upload of a file of ${size}`, 'upload', 'bareUpload'),
  ];
}

/** Processor time of a process so far, all of its threads; the kernel counts hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
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
