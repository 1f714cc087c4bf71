import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { max_upload_request_bytes } from '#db/http-limits.ts';
import { issueUpload } from '#db/servers/uploads.ts';
import { suspendServer } from '#db/servers/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser, closeClients } from '../testing/clients.ts';
import { type RentedServer, rentServer, startControlPlane, type TestControlPlane } from '../testing/plane.ts';
import { agent } from '../testing/scripted-agent.ts';

const database = testDatabase();
let [here, there]: TestControlPlane[] = [];
beforeAll(async () => {
  here = await startControlPlane(database.sql);
  there = await startControlPlane(database.sql);
});
afterAll(async () => {
  closeClients();
  await Promise.all([here!.close(), there!.close()]);
});

const rent = () => rentServer(database.sql, here!.url);
const begin = async (
  { screen, id }: Pick<RentedServer, 'screen' | 'id'>,
  upload: { upload_id?: string; path: string; bytes: number },
) => {
  const message = { server_id: id, upload_id: randomUUID(), ...upload };
  const answer = await screen.request('files.upload', message);
  if (!answer.ok) throw new Error(answer.error);
  return { ...answer, upload_id: message.upload_id };
};
const place = ({ screen, id }: RentedServer, upload_id: string, more: object = {}) =>
  screen.request('files.place', { server_id: id, upload_id, on_conflict: 'refuse', ...more });
const tus = { 'tus-resumable': '1.0.0' };
const patch = (address: string, offset: number, body: BodyInit, headers: object = {}) =>
  fetch(address, {
    method: 'PATCH',
    body,
    duplex: 'half',
    headers: {
      ...tus,
      ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      ...headers,
    },
  } as RequestInit);
const bytes = (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => (i * 7) % 251));

/** Sends with tus-js-client; `onChunk` may abort it. */
const send = (
  uploadUrl: string,
  content: Buffer,
  { chunkSize = 1_000_000, onChunk }: { chunkSize?: number; onChunk?: (upload: Upload) => void } = {},
) =>
  new Promise<void>((done, fail) => {
    const upload = new Upload(content, {
      ...{ uploadUrl, chunkSize, retryDelays: [50, 100, 200, 400, 800] },
      onSuccess: () => done(),
      onError: fail,
      onChunkComplete: () => onChunk?.(upload),
    });
    upload.start();
  });

describe('an upload to a server', () => {
  it('by tus-js-client is in pieces, over any plane, and then put at its place', async () => {
    const renter = await rent();
    const content = bytes(3_500_000);
    const { address, offset, upload_id } = await begin(renter, { path: 'mods/a.jar', bytes: content.length });
    expect(offset).toBe(0);
    await send(there!.url + address, content);
    const { files } = renter.runner;
    expect(files.asked.filter(({ query }) => query === 'upload_receive')).toHaveLength(4);
    expect(files.files.has('mods/a.jar')).toBe(false);
    expect(await place(renter, upload_id)).toMatchObject({ ok: true, path: 'mods/a.jar' });
    expect(files.files.get('mods/a.jar')!.equals(content)).toBe(true);
    // its address ends with that
    const gone = await fetch(here!.url + address, { method: 'HEAD', headers: tus });
    expect(gone.status).toBe(404);
  });

  it('that is cut goes on where it was, also after its agent connected anew', async () => {
    const renter = await rent();
    const content = bytes(3_000_000);
    const { address, upload_id } = await begin(renter, { path: 'world.zip', bytes: content.length });
    const broken = new ReadableStream({
      start(stream) {
        stream.enqueue(content.subarray(0, 1_200_000));
      },
      async pull(stream) {
        await expect.poll(() => renter.runner.files.uploads.get(upload_id)!.content.length).toBe(1_200_000);
        stream.error(new Error('the line is cut'));
      },
    });
    await expect(patch(here!.url + address, 0, broken)).rejects.toThrow();
    renter.runner.close();
    const shown = { node_id: renter.node.id, secret: renter.runner.welcome.secret };
    const specs = { [renter.id]: { generation: 1, hash: '' } };
    const back = await agent(there!.url, shown, specs, renter.runner);
    back.files.url = there!.url;
    const offset = async () =>
      (await fetch(here!.url + address, { method: 'HEAD', headers: tus })).headers.get('upload-offset');
    expect(await offset()).toBe('1200000');
    await send(here!.url + address, content);
    const first = back.files.asked.findLast(({ query }) => query === 'upload_receive');
    expect(first?.args.offset).toBeGreaterThan(1_200_000);
    await place(renter, upload_id);
    expect(back.files.files.get('world.zip')!.equals(content)).toBe(true);
  });

  it('takes bytes of one request at a time, whichever plane has it', async () => {
    const renter = await rent();
    const { address, upload_id } = await begin(renter, { path: 'a', bytes: 10 });
    const { promise: rest, resolve: go } = Promise.withResolvers<void>();
    const slow = new ReadableStream({
      async start(stream) {
        stream.enqueue(Buffer.from('01234'));
        await rest;
        stream.enqueue(Buffer.from('56789'));
        stream.close();
      },
    });
    const first = patch(here!.url + address, 0, slow);
    await expect.poll(() => renter.runner.files.uploads.get(upload_id)!.content.length).toBe(5);
    for (const plane of [here!, there!]) {
      const second = await patch(plane.url + address, 5, 'abcde');
      expect([second.status, await second.json()]).toMatchObject([423, { error: 'upload_busy' }]);
    }
    go();
    const answer = await first;
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, '10']);
    expect(renter.runner.files.uploads.get(upload_id)!.content.toString()).toBe('0123456789');
    // at another byte than where it goes on
    expect((await patch(here!.url + address, 5, 'abcde')).status).toBe(409);
  });

  it('whose plane died goes on after its hold is over', async () => {
    const renter = await rent();
    const { address, upload_id } = await begin(renter, { path: 'a', bytes: 2 });
    const hold = (until: Date) => database.sql`
      update server_tickets set holder = 'dead', held_until = ${until} where upload_id = ${upload_id}`;
    await hold(new Date(Date.now() + 60_000));
    expect((await patch(here!.url + address, 0, 'ab')).status).toBe(423);
    await hold(new Date(Date.now() - 1));
    expect((await patch(here!.url + address, 0, 'ab')).status).toBe(204);
  });

  it('of the same id is the same one, with a new address; another one with that id is refused', async () => {
    const renter = await rent();
    const upload = { upload_id: randomUUID(), path: 'a', bytes: 4 };
    const first = await begin(renter, upload);
    await patch(here!.url + first.address, 0, 'ab');
    const second = await begin(renter, upload);
    expect([second.offset, second.address === first.address]).toEqual([2, false]);
    expect((await patch(here!.url + first.address, 2, 'cd')).status).toBe(404);
    expect((await patch(here!.url + second.address, 2, 'cd')).status).toBe(204);
    await expect(begin(renter, { ...upload, path: 'b' })).rejects.toThrow('operation_mismatch');
  });

  it('is cancelled by its client, and ends after a day', async () => {
    const renter = await rent();
    const { address, upload_id } = await begin(renter, { path: 'a', bytes: 4 });
    const answer = await fetch(here!.url + address, { method: 'DELETE', headers: tus });
    expect(answer.status).toBe(204);
    expect(renter.runner.files.uploads.has(upload_id)).toBe(false);
    expect((await patch(here!.url + address, 0, 'abcd')).status).toBe(404);
    const upload = { upload_id, server_id: renter.id, user_id: renter.owner.id, token_hash: 'x' };
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    const old = await issueUpload(database.sql, { ...upload, path: 'a', bytes: 1 }, yesterday);
    expect((await patch(`${here!.url}/transfers/uploads/${old}`, 0, 'a')).status).toBe(404);
  });

  it('hears why its agent takes no more, in the middle too', async () => {
    const renter = await rent();
    const { address } = await begin(renter, { path: 'a', bytes: 400_000 });
    const { files } = renter.runner;
    files.before = async (query, { get }) => {
      if (query !== 'upload_receive') return null;
      const answer = await fetch(`${files.url}${get}`);
      await answer.body!.cancel();
      return { ok: false, error: 'disk_full', data: {} };
    };
    const answer = await patch(here!.url + address, 0, new Uint8Array(bytes(400_000)));
    expect([answer.status, await answer.json()]).toMatchObject([507, { error: 'disk_full' }]);
    files.before = async () => ({ ok: false, error: 'upload_not_found', data: {} });
    expect((await fetch(here!.url + address, { method: 'HEAD', headers: tus })).status).toBe(404);
    files.before = async () => ({ ok: false, error: 'disk_full', data: {} });
    await expect(begin(renter, { path: 'b', bytes: 1 })).rejects.toThrow('disk_full');
  });
});

describe('a request of an upload', () => {
  it.each([
    ['without the version of the protocol', { 'tus-resumable': '0.2.0' }, 412],
    ['of another content type', { 'content-type': 'text/plain' }, 400],
    ['without a number', { 'upload-offset': 'x' }, 400],
  ])('%s is refused', async (_, headers, status) => {
    const renter = await rent();
    const { address } = await begin(renter, { path: 'a', bytes: 4 });
    expect((await patch(here!.url + address, 0, 'abcd', headers)).status).toBe(status);
  });

  it('with more bytes than one may have is refused, declared or not', async () => {
    const renter = await rent();
    const { address } = await begin(renter, { path: 'a', bytes: 1_000_000_000 });
    const declared = await new Promise<number>((go, fail) => {
      const sent = request(here!.url + address, {
        method: 'PATCH',
        headers: {
          ...{ ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
          'content-length': max_upload_request_bytes + 1,
        },
      });
      sent.once('response', ({ statusCode }) => {
        go(statusCode!);
        sent.destroy();
      });
      sent.once('error', fail).flushHeaders();
    });
    expect(declared).toBe(413);
    let left = max_upload_request_bytes / 1_048_576 + 1;
    const endless = new ReadableStream({
      pull(stream) {
        if (left-- > 0) stream.enqueue(new Uint8Array(1_048_576));
        else stream.close();
      },
    });
    // the scripted agent copies all bytes for each piece
    const { files } = renter.runner;
    files.before = async (query, { get }) => {
      if (query !== 'upload_receive') return null;
      const answer = await fetch(`${files.url}${get}`);
      await answer.arrayBuffer().catch(() => {});
      return { ok: true, result: { offset: 5 } };
    };
    expect((await patch(here!.url + address, 0, endless)).status).toBe(413);
  });

  it('with another method hears which there are', async () => {
    const renter = await rent();
    const { address } = await begin(renter, { path: 'a', bytes: 4 });
    const offered = await fetch(here!.url + address, { method: 'OPTIONS' });
    expect([offered.status, offered.headers.get('tus-extension')]).toEqual([204, 'termination']);
    const got = await fetch(here!.url + address);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'OPTIONS, HEAD, PATCH, DELETE']);
  });
});

describe('the right to an upload', () => {
  it('ends with its token, while bytes arrive too', async () => {
    const renter = await rent();
    const { address, upload_id } = await begin(renter, { path: 'a', bytes: 100 });
    const waiting = new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.from('01234'));
      },
    });
    const sent = patch(here!.url + address, 0, waiting);
    await expect.poll(() => renter.runner.files.uploads.get(upload_id)!.content.length).toBe(5);
    await database.sql`delete from tokens where user_id = ${renter.owner.id}`;
    const answer = await sent;
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'ticket_invalid' }]);
    expect((await patch(here!.url + address, 5, 'abc')).status).toBe(404);
  });

  it('rests during a suspension and while a backup is restored', async () => {
    const renter = await rent();
    const { sql } = database;
    const { address, upload_id } = await begin(renter, { path: 'a', bytes: 4 });
    const op_id = randomUUID();
    await sql`
      insert into server_operations (id, server_id, kind, not_after)
      values (${op_id}, ${renter.id}, 'backup_restore', now() + interval '1 hour')`;
    const busy = await patch(here!.url + address, 0, 'abcd');
    expect([busy.status, await busy.json()]).toMatchObject([409, { error: 'server_busy' }]);
    expect(await place(renter, upload_id)).toMatchObject({ error: 'server_busy' });
    await sql`update server_operations set state = 'done', ended = now() where id = ${op_id}`;
    await sql.begin((tx) => suspendServer(tx, renter.id, 'other'));
    expect(await (await patch(here!.url + address, 0, 'abcd')).json()).toMatchObject({
      error: 'server_suspended',
    });
    await expect(begin(renter, { path: 'b', bytes: 4 })).rejects.toThrow('server_suspended');
  });

  it('is of nobody else', async () => {
    const renter = await rent();
    const stranger = await rent();
    const screen = await browser(here!.url, { token: stranger.key });
    await expect(begin({ screen, id: renter.id }, { path: 'a', bytes: 4 })).rejects.toThrow(
      'server_not_found',
    );
  });
});

it('two people never overwrite each other silently', async () => {
  const renter = await rent();
  const { files } = renter.runner;
  files.files.set('server.properties', Buffer.from('pvp=true'));
  const ask = { server_id: renter.id, paths: ['server.properties'], as: 'file' as const };
  const answer = await renter.screen.request('files.download', ask);
  const read = await fetch(here!.url + (answer.ok ? answer.address : ''));
  const etag = read.headers.get('etag')!;
  const save = async (text: string) => {
    const { address, upload_id } = await begin(renter, { path: 'server.properties', bytes: text.length });
    await patch(here!.url + address, 0, text);
    return await place(renter, upload_id, { on_conflict: 'replace', if_etag: etag });
  };
  expect(await save('pvp=false')).toMatchObject({ ok: true });
  expect(await save('pvp=maybe')).toMatchObject({ ok: false, error: 'file_changed' });
  expect(files.files.get('server.properties')!.toString()).toBe('pvp=false');
});
