import { describe, expect, it } from 'vitest';
import type { ServerRight } from '#db/hosting/servers/rights/rules.ts';
import { sftpActors } from '#db/hosting/servers/sftp/read.ts';
import { setSftpPassword } from '#db/hosting/servers/sftp/write.ts';
import { issueArchiveTicket } from '#db/hosting/servers/tickets.ts';
import { hashPassword } from '#db/platform/people/password.ts';
import { actorFor, type BuiltUser, token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type Browser, browser } from '../testing/clients.ts';
import { silentAgent } from '../testing/downloads.ts';
import { type RentedServer, rentServer, running, testControlPlane } from '../testing/plane.ts';
import { beginUpload, patchUpload, placeUpload } from '../testing/uploads.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);

interface Guest {
  person: BuiltUser;
  screen: Browser;
}
const open = async (): Promise<Guest> => {
  const person = await user(database.sql);
  return { person, screen: await browser(plane.url, { token: await token(database.sql, person) }) };
};
const invite = (
  { screen, id }: Pick<RentedServer, 'screen' | 'id'>,
  username: string,
  rights: ServerRight[],
) => screen.request('people.invite', { server_id: id, username, role: 'viewer', rights });
/** Somebody who was invited with these rights and accepted. */
const guestOf = async (
  renter: Pick<RentedServer, 'screen' | 'id'>,
  rights: ServerRight[],
): Promise<Guest> => {
  const guest = await open();
  expect(await invite(renter, guest.person.username, rights)).toMatchObject({ ok: true });
  const answer = { server_id: renter.id, answer: 'accept' } as const;
  expect(await guest.screen.request('people.answer', answer)).toEqual({ ok: true });
  return guest;
};
const take = ({ screen, id }: RentedServer, { person }: Guest, rights: ServerRight[]) =>
  screen.request('people.change', { server_id: id, user_id: person.id, role: 'viewer', rights });

describe('an invitation', () => {
  it('is told to the invited person, hides the server until it is accepted, and then shares it', async () => {
    const renter = await rent();
    const { person, screen } = await open();
    const invited = await invite(renter, person.username.toUpperCase(), ['console', 'files']);
    expect(invited).toMatchObject({
      people: { people: [{ username: person.username, rights: ['console', 'files'], accepted: null }] },
    });
    const [notification] = await database.sql`
      select body, mail from notifications where user_id = ${person.id} and type = 'server_invite'`;
    expect(notification).toMatchObject({ body: { server_id: renter.id, role: 'viewer' }, mail: 'now' });
    expect(await screen.request('server.show', { server_id: renter.id })).toMatchObject({
      error: 'server_not_found',
    });
    expect(await screen.request('people.invitations', {})).toMatchObject({
      invitations: [{ server_id: renter.id, owner: renter.owner.username, rights: ['console', 'files'] }],
    });
    const accept = { server_id: renter.id, answer: 'accept' } as const;
    expect(await screen.request('people.answer', accept)).toEqual({ ok: true });
    expect(await screen.request('people.answer', accept)).toEqual({ ok: true });
    expect(await screen.request('server.list', {})).toMatchObject({
      servers: [{ id: renter.id }],
      shared: { [renter.id]: { owner: renter.owner.username, rights: ['console', 'files'] } },
    });
    const joined = await screen.request('server.join', { server_id: renter.id, rooms: ['state'] });
    expect(joined).toMatchObject({ access: { owner: false, rights: ['console', 'files'] } });
  });

  it('is refused with what is wrong', async () => {
    const renter = await rent();
    const guest = await guestOf(renter, ['people', 'console']);
    const other = await open();
    const error = async (asked: ReturnType<typeof invite>) => {
      const answer = await asked;
      return answer.ok ? null : answer.error;
    };
    expect(await error(invite(renter, 'nobody-at-all', []))).toBe('user_unknown');
    expect(await error(invite(renter, '', []))).toBe('user_unknown');
    expect(await error(invite(renter, renter.owner.username, []))).toBe('server_person_owner');
    expect(await error(invite(renter, guest.person.username, []))).toBe('server_person_there');
    const asGuest = { screen: guest.screen, id: renter.id };
    expect(await error(invite(asGuest, guest.person.username, []))).toBe('server_person_self');
    expect(await error(invite(asGuest, other.person.username, ['files']))).toBe('server_rights_exceeded');
    expect(await error(invite(asGuest, other.person.username, ['console']))).toBeNull();
    expect(await error(invite(renter, other.person.username, []))).toBe('server_person_invited');
    const stranger = { screen: (await open()).screen, id: renter.id };
    expect(await error(invite(stranger, other.person.username, []))).toBe('server_not_found');
  });

  it('ends when it is declined, withdrawn, or its server is deleted', async () => {
    const renter = await rent();
    const { person, screen } = await open();
    const answer = (given: 'accept' | 'decline') =>
      screen.request('people.answer', { server_id: renter.id, answer: given });
    await invite(renter, person.username, []);
    expect(await answer('decline')).toEqual({ ok: true });
    expect(await answer('accept')).toMatchObject({ error: 'server_not_invited' });
    await invite(renter, person.username, []);
    // invited again at once: the person was told already
    const told = await database.sql`select 1 from notifications where user_id = ${person.id}`;
    expect(told).toHaveLength(1);
    const withdrawn = { server_id: renter.id, user_id: person.id };
    expect(await renter.screen.request('people.resend', withdrawn)).toMatchObject({
      error: 'server_invitation_sent',
    });
    expect(await renter.screen.request('people.remove', withdrawn)).toMatchObject({ ok: true });
    expect(await answer('accept')).toMatchObject({ error: 'server_not_invited' });
    await invite(renter, person.username, []);
    await renter.screen.request('server.delete', { server_id: renter.id });
    expect(await answer('accept')).toMatchObject({ error: 'server_not_invited' });
    expect(await screen.request('people.invitations', {})).toEqual({ ok: true, invitations: [] });
  });

  it('has room for 50', async () => {
    const renter = await rent();
    const { sql } = database;
    for (let count = 0; count < 50; count++) {
      const { id } = await user(sql);
      await sql`insert into server_members (server_id, user_id, role, rights) values (${renter.id}, ${id}, 'viewer', '{}')`;
    }
    const one_more = await user(sql);
    expect(await invite(renter, one_more.username, [])).toMatchObject({ error: 'server_people_too_many' });
  });
});

describe('a person on a server', () => {
  it('does what the rights say and nothing else', async () => {
    const renter = await rent();
    await running(renter);
    const { screen } = await guestOf(renter, ['console', 'people']);
    const { id: server_id } = renter;
    const missing = { ok: false, error: 'server_right_missing', status: 403 };
    expect(await screen.request('server.command', { server_id, text: 'list' })).toEqual({ ok: true });
    expect(await screen.request('backups.list', { server_id })).toMatchObject({ ok: true });
    const op_id = crypto.randomUUID();
    const refused = [
      await screen.request('server.power', { server_id, op_id, action: 'stop' }),
      await screen.request('server.rename', { server_id, name: 'Mine' }),
      await screen.request('server.delete', { server_id }),
      await screen.request('files.list', { server_id, path: '', from: 0, limit: 10 }),
      await screen.request('files.create', { server_id, op_id, path: 'a', type: 'file' }),
      await screen.request('backups.create', { server_id, op_id }),
      await screen.request('sftp.show', { server_id }),
      await screen.request('startup.show', { server_id }),
      await screen.request('properties.show', { server_id }),
      await screen.request('content.remove', { server_id, op_id, revision: 'x', paths: ['a'] }),
    ];
    expect(refused).toMatchObject(refused.map(() => missing));
    const none = await guestOf(renter, []);
    const closed = [
      await none.screen.request('server.command', { server_id, text: 'list' }),
      await none.screen.request('activity.list', { server_id, limit: 10 }),
      await none.screen.request('people.remove', { server_id, user_id: renter.owner.id }),
    ];
    expect(closed).toMatchObject(closed.map(() => missing));
  });

  it('touches neither the owner nor somebody with more rights', async () => {
    const renter = await rent();
    const manager = await guestOf(renter, ['people', 'console']);
    const editor = await guestOf(renter, ['files']);
    const { id: server_id } = renter;
    const ask = async (event: 'people.remove' | 'people.change', user_id: string) => {
      const answer = await manager.screen.request(event, {
        ...{ server_id, user_id, role: 'viewer', rights: [] },
      } as never);
      return (answer as { error?: string }).error;
    };
    expect(await ask('people.remove', renter.owner.id)).toBe('server_person_owner');
    expect(await ask('people.change', editor.person.id)).toBe('server_rights_exceeded');
    expect(await ask('people.remove', editor.person.id)).toBe('server_rights_exceeded');
    expect(await ask('people.change', manager.person.id)).toBe('server_person_self');
    expect(await ask('people.remove', 'AABBCCDD')).toBe('server_person_gone');
    expect(await editor.screen.request('people.list', { server_id })).toMatchObject({
      people: { people: expect.arrayContaining([expect.objectContaining({ rights: ['files'] })]) },
    });
    expect(await editor.screen.request('people.leave', { server_id })).toEqual({ ok: true });
    expect(await editor.screen.request('people.leave', { server_id })).toMatchObject({
      error: 'server_not_found',
    });
    expect(await renter.screen.request('people.leave', { server_id })).toMatchObject({
      error: 'server_person_owner',
    });
  });

  it('is told at once when rights are taken, and writes no more to the console', async () => {
    const renter = await rent();
    await running(renter);
    const { id: server_id } = renter;
    const guest = await guestOf(renter, ['console', 'files']);
    const { screen } = guest;
    await screen.request('server.join', { server_id, rooms: ['state', 'console'] });
    expect(await take(renter, guest, ['files'])).toMatchObject({ ok: true });
    await expect
      .poll(() => screen.received.access)
      .toEqual([{ server_id, access: { owner: false, rights: ['files'] } }]);
    expect(await screen.request('server.command', { server_id, text: 'op me' })).toMatchObject({
      error: 'server_right_missing',
    });
    expect(renter.runner.commands).toEqual([]);
    await renter.screen.request('people.remove', { server_id, user_id: guest.person.id });
    await expect
      .poll(() => screen.received['access.revoked'])
      .toMatchObject([{ server_id, error: 'server_not_found' }]);
  });
});

it('a person who is removed while typing in the editor saves nothing any more', async () => {
  const renter = await rent();
  const { files } = renter.runner;
  files.files.set('notes.txt', Buffer.from('old'));
  const guest = await guestOf(renter, ['files']);
  const { screen } = guest;
  await screen.request('server.join', { server_id: renter.id, rooms: ['state', 'tasks'] });
  const upload = await beginUpload({ screen, id: renter.id }, { path: 'notes.txt', bytes: 3 });
  expect((await patchUpload(plane.url + upload.address, 0, 'ne')).status).toBe(204);
  await renter.screen.request('people.remove', { server_id: renter.id, user_id: guest.person.id });
  await expect.poll(() => screen.received['access.revoked']).toHaveLength(1);
  expect((await patchUpload(plane.url + upload.address, 2, 'w')).status).toBe(404);
  expect(await placeUpload({ screen, id: renter.id }, upload.upload_id)).toMatchObject({
    error: 'server_not_found',
  });
  expect(await screen.request('server.join', { server_id: renter.id, rooms: ['state'] })).toMatchObject({
    error: 'server_not_found',
  });
  expect(files.files.get('notes.txt')?.toString()).toBe('old');
});

describe('a download of a person on a server', () => {
  const slowly = () =>
    new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.alloc(4));
      },
    });

  it('ends when the right to files is taken, also while it is sent', async () => {
    const renter = await rent();
    renter.runner.files.files.set('map', Buffer.alloc(10));
    const guest = await guestOf(renter, ['files']);
    const ask = async () => {
      const message = { server_id: renter.id, paths: ['map'], as: 'file' as const };
      const answer = await guest.screen.request('files.download', message);
      return plane.url + (answer.ok ? answer.address : '');
    };
    const [first, second] = [await ask(), await ask()];
    const asked = silentAgent(renter);
    const fetched = fetch(first);
    const put = { method: 'PUT', body: slowly(), duplex: 'half' } as RequestInit;
    const sent = fetch(`${plane.url}${await asked}`, put);
    sent.catch(() => {});
    const answer = await fetched;
    expect(await take(renter, guest, ['console'])).toMatchObject({ ok: true });
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await fetch(second)).status).toBe(404);
    await expect(sent).rejects.toThrow();
  });

  it('of everything needs no session, but the right', async () => {
    const renter = await rent();
    const guest = await guestOf(renter, ['files']);
    const actor = actorFor(guest.person);
    const ticket = () => database.sql.begin((tx) => issueArchiveTicket(tx, actor, renter.id, new Date()));
    const [first, second] = [await ticket(), await ticket()];
    const asked = silentAgent(renter);
    const fetched = fetch(`${plane.url}/transfers?ticket=${first}`);
    const put = { method: 'PUT', body: slowly(), duplex: 'half' } as RequestInit;
    const sent = fetch(`${plane.url}${await asked}`, put);
    sent.catch(() => {});
    const answer = await fetched;
    expect(answer.status).toBe(200);
    await renter.screen.request('people.remove', { server_id: renter.id, user_id: guest.person.id });
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await fetch(`${plane.url}/transfers?ticket=${second}`)).status).toBe(404);
    await expect(ticket()).rejects.toMatchObject({ code: 'server_not_found' });
  });
});

it('ends the ways in by SFTP of whoever loses the right to files', async () => {
  const renter = await rent();
  const guest = await guestOf(renter, ['files']);
  const { sql } = database;
  const now = new Date();
  const hash = await hashPassword('secret');
  await sql.begin((tx) => setSftpPassword(tx, actorFor(guest.person), { server_id: renter.id, hash }, now));
  const grant = { user_id: guest.person.id, server_id: renter.id, password_hash: hash, key_id: null };
  expect((await sftpActors(sql, [grant], now))[0]).toMatchObject({ username: guest.person.username });
  await take(renter, guest, ['console']);
  expect(await sftpActors(sql, [grant], now)).toEqual([null]);
  await take(renter, guest, ['files']);
  expect((await sftpActors(sql, [grant], now))[0]).not.toBeNull();
  // whoever comes back needs a new password
  await renter.screen.request('people.remove', { server_id: renter.id, user_id: guest.person.id });
  await sql`insert into server_members (server_id, user_id, role, rights, accepted)
    values (${renter.id}, ${guest.person.id}, 'editor', '{files}', now())`;
  expect(await sftpActors(sql, [grant], now)).toEqual([null]);
});
