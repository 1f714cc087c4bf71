import { expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { rentServer, testTwoPlanes } from '../testing/plane.ts';
import { readFromAgent, writeToAgent } from './streams.ts';

const database = testDatabase();
const [here, there] = testTwoPlanes(database);
/** A server whose agent is at one plane, asked by the other one. */
const rent = async () => {
  const { runner, id, node } = await rentServer(database.sql, here.url);
  return { files: runner.files, server: { id, node_id: node.id }, context: there.plane.context };
};

it('reads part of a file, and refuses as the agent does', async () => {
  const { files, server, context } = await rent();
  files.files.set('a', Buffer.from('0123456789'));
  const read = async (range: object) =>
    Buffer.concat(await (await readFromAgent(context, server, 'a', range)).toArray()).toString();
  expect([await read({}), await read({ offset: 7 }), await read({ offset: 2, length: 3 })]).toEqual([
    ...['0123456789', '789', '234'],
  ]);
  await expect(readFromAgent(context, server, 'gone')).rejects.toMatchObject({ code: 'file_not_found' });
});

it('ends the transfer when its reader goes away', async () => {
  const { files, server, context } = await rent();
  files.files.set('a', Buffer.alloc(5_000_000));
  const stream = await readFromAgent(context, server, 'a');
  stream.destroy();
  await expect.poll(() => files.asked.length).toBe(1);
  // the agent's request failed: it has no status
  expect(files.statuses).toEqual([]);
});

it('writes a file in pieces, and puts it at its place at the end', async () => {
  const { files, server, context } = await rent();
  const writer = await writeToAgent(context, server, { path: 'a', bytes: null });
  await Promise.all([writer.write(Buffer.from('01')), writer.write(Buffer.alloc(200_000, 'x'))]);
  expect(files.files.has('a')).toBe(false);
  expect(await writer.finish('refuse')).toMatchObject({ path: 'a', entry: { bytes: 200_002 } });
  const empty = await writeToAgent(context, server, { path: 'empty', bytes: 0 });
  expect(await empty.finish('refuse')).toMatchObject({ entry: { bytes: 0 } });
  const second = await writeToAgent(context, server, { path: 'a', bytes: 2 });
  await second.write(Buffer.from('ab'));
  await expect(second.finish('refuse')).rejects.toMatchObject({ code: 'file_exists' });
});

it('leaves nothing of a write that was cancelled', async () => {
  const { files, server, context } = await rent();
  const writer = await writeToAgent(context, server, { path: 'a', bytes: null });
  await writer.write(Buffer.from('01'));
  await writer.cancel();
  expect([files.uploads.size, files.files.size]).toEqual([0, 0]);
});

it('says why the agent takes no more', async () => {
  const { files, server, context } = await rent();
  const writer = await writeToAgent(context, server, { path: 'a', bytes: null });
  files.before = async (query, { get }) => {
    if (query !== 'upload_receive') return null;
    await (await fetch(`${files.url}${get}`)).body!.cancel();
    return { ok: false, error: 'disk_full', data: {} };
  };
  const writeOn = async () => {
    for (;;) await writer.write(Buffer.alloc(100_000));
  };
  await expect(writeOn()).rejects.toMatchObject({ code: 'disk_full' });
});
