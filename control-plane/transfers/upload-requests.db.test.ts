import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser } from '../testing/clients.ts';
import { rentServer, testControlPlane } from '../testing/plane.ts';
import { beginUpload, patchUpload, placeUpload, tus } from '../testing/uploads.ts';

const database = testDatabase();
const here = testControlPlane(database);
const rent = () => rentServer(database.sql, here.url);

describe('a request of an upload', () => {
  it.each([
    ['without the version of the protocol', { 'tus-resumable': '0.2.0' }, 412],
    ['of another content type', { 'content-type': 'text/plain' }, 400],
    ['without a number', { 'upload-offset': 'x' }, 400],
  ])('%s is refused', async (_, headers, status) => {
    const renter = await rent();
    const { address } = await beginUpload(renter, { path: 'a', bytes: 4 });
    expect((await patchUpload(here.url + address, 0, 'abcd', headers)).status).toBe(status);
  });

  it('with more bytes than one may have is refused, declared or not', async () => {
    const renter = await rent();
    const { address } = await beginUpload(renter, { path: 'a', bytes: 1_000_000_000 });
    const declared = await new Promise<number>((go, fail) => {
      const sent = request(here.url + address, {
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
    expect((await patchUpload(here.url + address, 0, endless)).status).toBe(413);
  });

  it('with another method hears which there are', async () => {
    const renter = await rent();
    const { address } = await beginUpload(renter, { path: 'a', bytes: 4 });
    const offered = await fetch(here.url + address, { method: 'OPTIONS' });
    expect([offered.status, offered.headers.get('tus-extension')]).toEqual([204, 'termination']);
    const got = await fetch(here.url + address);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'OPTIONS, HEAD, PATCH, DELETE']);
  });
});

describe('the right to an upload', () => {
  it('ends with its token, while bytes arrive too', async () => {
    const renter = await rent();
    const { address, upload_id } = await beginUpload(renter, { path: 'a', bytes: 100 });
    const waiting = new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.from('01234'));
      },
    });
    const sent = patchUpload(here.url + address, 0, waiting);
    await expect.poll(() => renter.runner.files.uploads.get(upload_id)!.content.length).toBe(5);
    await database.sql`delete from tokens where user_id = ${renter.owner.id}`;
    const answer = await sent;
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'ticket_invalid' }]);
    expect((await patchUpload(here.url + address, 5, 'abc')).status).toBe(404);
  });

  it('rests during a suspension and while a backup is restored', async () => {
    const renter = await rent();
    const { sql } = database;
    const { address, upload_id } = await beginUpload(renter, { path: 'a', bytes: 4 });
    const op_id = randomUUID();
    await sql`
      insert into server_operations (id, server_id, kind, not_after)
      values (${op_id}, ${renter.id}, 'backup_restore', now() + interval '1 hour')`;
    const busy = await patchUpload(here.url + address, 0, 'abcd');
    expect([busy.status, await busy.json()]).toMatchObject([409, { error: 'server_busy' }]);
    expect(await placeUpload(renter, upload_id)).toMatchObject({ error: 'server_busy' });
    await sql`update server_operations set state = 'done', ended = now() where id = ${op_id}`;
    await sql.begin((tx) => suspendServer(tx, renter.id, 'other'));
    expect(await (await patchUpload(here.url + address, 0, 'abcd')).json()).toMatchObject({
      error: 'server_suspended',
    });
    await expect(beginUpload(renter, { path: 'b', bytes: 4 })).rejects.toThrow('server_suspended');
  });

  it('is of nobody else', async () => {
    const renter = await rent();
    const stranger = await rent();
    const screen = await browser(here.url, { token: stranger.key });
    await expect(beginUpload({ screen, id: renter.id }, { path: 'a', bytes: 4 })).rejects.toThrow(
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
  const read = await fetch(here.url + (answer.ok ? answer.address : ''));
  const etag = read.headers.get('etag')!;
  const save = async (text: string) => {
    const { address, upload_id } = await beginUpload(renter, {
      path: 'server.properties',
      bytes: text.length,
    });
    await patchUpload(here.url + address, 0, text);
    return await placeUpload(renter, upload_id, { on_conflict: 'replace', if_etag: etag });
  };
  expect(await save('pvp=false')).toMatchObject({ ok: true });
  expect(await save('pvp=maybe')).toMatchObject({ ok: false, error: 'file_changed' });
  expect(files.files.get('server.properties')!.toString()).toBe('pvp=false');
});
