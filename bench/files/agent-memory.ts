import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ControlClient } from '../../bin/cairn/control-client.ts';
import { rssOf } from '../../bin/process-memory.ts';
import { type Row, ratioAtMost } from '../report.ts';
import { inspect } from './garbage.ts';

const [warm, all] = [200, 1_000];
const file_bytes = 256 * 1024;

interface Measured {
  url: string;
  plane: ControlClient;
  server_id: string;
  agent: { pid: number; inspector_port: number };
}

/** Resident memory of the agent after 1,000 requests about files, as a ratio of that after 200, each time without garbage. */
export async function measureAgentMemory({ url, plane, server_id, agent }: Measured): Promise<Row> {
  const inspected = await inspect(agent.pid, agent.inspector_port);
  const resident = async () => {
    await inspected.collect();
    // freed pages go back to the system a little later
    await setTimeout(2_000);
    await inspected.collect();
    return rssOf(agent.pid);
  };
  const body = randomBytes(file_bytes);
  let done = 0;
  const cycle = async (): Promise<void> => {
    for (const request of requests({ url, plane, server_id, body })) {
      await request();
      done += 1;
    }
  };
  try {
    while (done < warm) await cycle();
    const after_warm = await resident();
    while (done < all) await cycle();
    const after_all = await resident();
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    return ratioAtMost(1.2, {
      name: `memory of the agent after ${done} requests about files`,
      ratio: after_all / after_warm,
      ours: mb(after_all),
      baseline: `${mb(after_warm)} after ${warm}`,
    });
  } finally {
    inspected.close();
  }
}

/** What users do with a file, from its upload to its end. */
function requests({ url, plane, server_id, body }: Omit<Measured, 'agent'> & { body: Buffer }) {
  const name = randomUUID();
  const [path, copy, moved] = [`${name}.bin`, `${name} copy.bin`, `${name} moved.bin`];
  const upload_id = randomUUID();
  const asked = () => ({ server_id, op_id: randomUUID() });
  return [
    async () => {
      const begun = await plane.request('files.upload', { server_id, upload_id, path, bytes: body.length });
      const answer = await fetch(`${url}${begun.address}`, {
        method: 'PATCH',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0' },
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(body),
      });
      if (!answer.ok) throw new Error(`an upload was answered with ${answer.status}`);
    },
    () => plane.request('files.place', { server_id, upload_id, on_conflict: 'refuse' }),
    () => plane.request('files.list', { server_id, path: '' }),
    () => plane.request('files.copy', { ...asked(), copies: [{ from: path, to: copy }] }),
    () => plane.request('files.move', { ...asked(), moves: [{ from: copy, to: moved }] }),
    async () => {
      const { address } = await plane.request('files.download', { server_id, paths: [path], as: 'file' });
      const answer = await fetch(`${url}${address}`);
      if ((await answer.arrayBuffer()).byteLength !== body.length) throw new Error('a download was cut off');
    },
    () => plane.request('files.search', { server_id, path: '', text: name, in: 'names' }),
    () => plane.request('files.stat', { server_id, paths: [path, moved] }),
    () => plane.request('files.delete', { ...asked(), paths: [path, moved] }),
    () => plane.request('files.purge', { ...asked(), trash_ids: null }),
  ];
}
