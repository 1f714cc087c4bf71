import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallDisk, smallDisk } from '#db/testing/small-disk.ts';

/**
 * A process with its data on a 2 MiB disk: POST receives and stores, PUT stores small bytes, GET lists what is stored.
 */
const program = `
  import { readdirSync } from 'node:fs';
  import { createAdaptorServer } from '@hono/node-server';
  import { parseSettings } from '#db/platform/runtime/env.ts';
  import { Refused } from '#db/platform/errors.ts';
  import { diskStorage } from '#db/platform/storage/disk.ts';
  import { receive } from '#site/platform/upload/upload.ts';
  const storage = diskStorage(process.argv[1]);
  const handle = async (request) => {
    const key = 'data' + new URL(request.url).pathname;
    if (request.method === 'GET') {
      const objects = readdirSync(process.argv[1] + '/objects', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return { tmp: readdirSync(process.argv[1] + '/tmp'), objects: objects.map(({ name }) => name) };
    }
    if (request.method === 'PUT') return void (await storage.putBytes(key, new Uint8Array(await request.arrayBuffer())));
    const received = await receive(request, { settings: parseSettings({}), storage });
    try {
      await storage.put(key, received.files[0].content);
      return received.files.map(({ size }) => size);
    } finally {
      await received.discard();
    }
  };
  createAdaptorServer({ fetch: (request) => handle(request).then(
    (answer) => Response.json(answer ?? null),
    (error) => Response.json({ code: error.code, bug: !(error instanceof Refused) }, { status: error.status ?? 500 }),
  ) }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

const room = 2 * 1024 * 1024;
let disk: SmallDisk;
let child: ChildProcess;
let address: string;
beforeAll(async () => {
  disk = smallDisk(room);
  const [command, ...rest] = disk.command([process.execPath, '--input-type=module', '-e', program]);
  child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout!, 'data');
  address = `http://127.0.0.1:${Number(line)}`;
});
afterAll(async () => {
  child.kill();
  await once(child, 'exit');
  disk.remove();
});

const upload = async (key: string, size: number) => {
  const form = new FormData();
  form.append('data', '{}');
  form.append('file', new Blob([Buffer.alloc(size, 'x')]), 'mod.jar');
  const response = await fetch(`${address}/${key}`, { method: 'POST', body: form });
  return [response.status, await response.json()];
};
const left = async () => await (await fetch(address)).json();

test('an upload that does not fit is refused as storage_full, leaves nothing, and the next one that fits is stored', async () => {
  expect(await upload('A/big.jar', 3 * 1024 * 1024)).toEqual([507, { code: 'storage_full', bug: false }]);
  expect(await left()).toEqual({ tmp: [], objects: [] });
  expect(await upload('A/small.jar', 1024 * 1024)).toEqual([200, [1024 * 1024]]);
  expect(await upload('A/second.jar', 1.5 * 1024 * 1024)).toMatchObject([507, { code: 'storage_full' }]);
  expect(await left()).toEqual({ tmp: [], objects: ['small.jar'] });
});

test('small bytes that do not fit are refused the same way', async () => {
  const response = await fetch(`${address}/A/big.png`, {
    method: 'PUT',
    body: Buffer.alloc(3 * 1024 * 1024),
  });
  expect([response.status, await response.json()]).toEqual([507, { code: 'storage_full', bug: false }]);
  expect(await left()).toEqual({ tmp: [], objects: ['small.jar'] });
});
