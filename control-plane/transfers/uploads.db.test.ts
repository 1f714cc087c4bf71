import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueUpload } from '#db/hosting/servers/uploads.ts';
import { testDatabase } from '#db/testing/database.ts';
import { rentServer, testTwoPlanes } from '../testing/plane.ts';
import { agent } from '../testing/scripted-agent.ts';
import { beginUpload, patchUpload, placeUpload, sendUpload, tus, variedBytes } from '../testing/uploads.ts';

const database = testDatabase();
const [here, there] = testTwoPlanes(database);
const rent = () => rentServer(database.sql, here.url);

describe('an upload to a server', () => {
  it('by tus-js-client is in pieces, over any plane, and then put at its place', async () => {
    const renter = await rent();
    const content = variedBytes(3_500_000);
    const { address, offset, upload_id } = await beginUpload(renter, {
      path: 'mods/a.jar',
      bytes: content.length,
    });
    expect(offset).toBe(0);
    await sendUpload(there.url + address, content);
    const { files } = renter.runner;
    expect(files.asked.filter(({ query }) => query === 'upload_receive')).toHaveLength(4);
    expect(files.files.has('mods/a.jar')).toBe(false);
    expect(await placeUpload(renter, upload_id)).toMatchObject({ ok: true, path: 'mods/a.jar' });
    expect(files.files.get('mods/a.jar')!.equals(content)).toBe(true);
    // its address ends with that
    const gone = await fetch(here.url + address, { method: 'HEAD', headers: tus });
    expect(gone.status).toBe(404);
  });

  it('that is cut goes on where it was, also after its agent connected anew', async () => {
    const renter = await rent();
    const content = variedBytes(3_000_000);
    const { address, upload_id } = await beginUpload(renter, { path: 'world.zip', bytes: content.length });
    const broken = new ReadableStream({
      start(stream) {
        stream.enqueue(content.subarray(0, 1_200_000));
      },
      async pull(stream) {
        await expect.poll(() => renter.runner.files.uploads.get(upload_id)!.content.length).toBe(1_200_000);
        stream.error(new Error('the line is cut'));
      },
    });
    await expect(patchUpload(here.url + address, 0, broken)).rejects.toThrow();
    renter.runner.close();
    const shown = { node_id: renter.node.id, secret: renter.runner.welcome.secret };
    const specs = { [renter.id]: { generation: 1, hash: '' } };
    const back = await agent(there.url, shown, specs, renter.runner);
    back.files.url = there.url;
    const offset = async () =>
      (await fetch(here.url + address, { method: 'HEAD', headers: tus })).headers.get('upload-offset');
    expect(await offset()).toBe('1200000');
    await sendUpload(here.url + address, content);
    const first = back.files.asked.findLast(({ query }) => query === 'upload_receive');
    expect(first?.args.offset).toBeGreaterThan(1_200_000);
    await placeUpload(renter, upload_id);
    expect(back.files.files.get('world.zip')!.equals(content)).toBe(true);
  });

  it('takes bytes of one request at a time, whichever plane has it', async () => {
    const renter = await rent();
    const { address, upload_id } = await beginUpload(renter, { path: 'a', bytes: 10 });
    const { promise: rest, resolve: go } = Promise.withResolvers<void>();
    const slow = new ReadableStream({
      async start(stream) {
        stream.enqueue(Buffer.from('01234'));
        await rest;
        stream.enqueue(Buffer.from('56789'));
        stream.close();
      },
    });
    const first = patchUpload(here.url + address, 0, slow);
    await expect.poll(() => renter.runner.files.uploads.get(upload_id)!.content.length).toBe(5);
    for (const plane of [here, there]) {
      const second = await patchUpload(plane.url + address, 5, 'abcde');
      expect([second.status, await second.json()]).toMatchObject([423, { error: 'upload_busy' }]);
    }
    go();
    const answer = await first;
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, '10']);
    expect(renter.runner.files.uploads.get(upload_id)!.content.toString()).toBe('0123456789');
    // at another byte than where it goes on
    expect((await patchUpload(here.url + address, 5, 'abcde')).status).toBe(409);
  });

  it('whose plane died goes on after its hold is over', async () => {
    const renter = await rent();
    const { address, upload_id } = await beginUpload(renter, { path: 'a', bytes: 2 });
    const hold = (until: Date) => database.sql`
      update server_tickets set holder = 'dead', held_until = ${until} where upload_id = ${upload_id}`;
    await hold(new Date(Date.now() + 60_000));
    expect((await patchUpload(here.url + address, 0, 'ab')).status).toBe(423);
    await hold(new Date(Date.now() - 1));
    expect((await patchUpload(here.url + address, 0, 'ab')).status).toBe(204);
  });

  it('of the same id is the same one, with a new address; another one with that id is refused', async () => {
    const renter = await rent();
    const upload = { upload_id: randomUUID(), path: 'a', bytes: 4 };
    const first = await beginUpload(renter, upload);
    await patchUpload(here.url + first.address, 0, 'ab');
    const second = await beginUpload(renter, upload);
    expect([second.offset, second.address === first.address]).toEqual([2, false]);
    expect((await patchUpload(here.url + first.address, 2, 'cd')).status).toBe(404);
    expect((await patchUpload(here.url + second.address, 2, 'cd')).status).toBe(204);
    await expect(beginUpload(renter, { ...upload, path: 'b' })).rejects.toThrow('operation_mismatch');
  });

  it('is cancelled by its client, and ends after a day', async () => {
    const renter = await rent();
    const { address, upload_id } = await beginUpload(renter, { path: 'a', bytes: 4 });
    const answer = await fetch(here.url + address, { method: 'DELETE', headers: tus });
    expect(answer.status).toBe(204);
    expect(renter.runner.files.uploads.has(upload_id)).toBe(false);
    expect((await patchUpload(here.url + address, 0, 'abcd')).status).toBe(404);
    const upload = { upload_id, server_id: renter.id, user_id: renter.owner.id, token_hash: 'x' };
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    const old = await issueUpload(database.sql, { ...upload, path: 'a', bytes: 1 }, yesterday);
    expect((await patchUpload(`${here.url}/transfers/uploads/${old}`, 0, 'a')).status).toBe(404);
  });

  it('hears why its agent takes no more, in the middle too', async () => {
    const renter = await rent();
    const { address } = await beginUpload(renter, { path: 'a', bytes: 400_000 });
    const { files } = renter.runner;
    files.before = async (query, { get }) => {
      if (query !== 'upload_receive') return null;
      const answer = await fetch(`${files.url}${get}`);
      await answer.body!.cancel();
      return { ok: false, error: 'disk_full', data: {} };
    };
    const answer = await patchUpload(here.url + address, 0, new Uint8Array(variedBytes(400_000)));
    expect([answer.status, await answer.json()]).toMatchObject([507, { error: 'disk_full' }]);
    files.before = async () => ({ ok: false, error: 'upload_not_found', data: {} });
    expect((await fetch(here.url + address, { method: 'HEAD', headers: tus })).status).toBe(404);
    files.before = async () => ({ ok: false, error: 'disk_full', data: {} });
    await expect(beginUpload(renter, { path: 'b', bytes: 1 })).rejects.toThrow('disk_full');
  });
});
