import { describe, expect, it } from 'vitest';
import { rentServer, testControlPlane } from '#control/testing/plane.ts';
import { auditConsumer } from '#db/moderation/audit/consumer.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const cairn = serverCommand(plane);

const open = async () => {
  const { sql } = database;
  const person = await user(sql);
  return { renter: await rentServer(sql, plane.url), person, guest: { key: await token(sql, person) } };
};

describe('cairn server people', () => {
  it('invites, is accepted, changes and removes', async () => {
    const { renter, person, guest } = await open();
    const { username } = person;
    const invited = await cairn(renter, 'people', 'invite', renter.id, username, '--role', 'viewer');
    expect(invited).toMatchObject({ code: 0, out: expect.stringMatching(/viewer\s+none\s+invited/) });
    expect((await cairn(guest, 'people', 'invitations')).out).toContain(renter.id);
    expect(await cairn(guest, 'people', 'accept', renter.id)).toMatchObject({ code: 0 });
    expect((await cairn(guest, 'list')).out).toMatch(new RegExp(`${renter.id}.*${renter.owner.username}`));
    const changed = await cairn(
      renter,
      'people',
      'change',
      renter.id,
      username,
      '--rights',
      'files,power',
      '--json',
    );
    expect(JSON.parse(changed.out).people).toMatchObject([
      { username, role: 'viewer', rights: ['files', 'power'] },
    ]);
    expect(await cairn(guest, 'people', 'change', renter.id, username, '--rights', 'all')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('You don’t have this permission'),
    });
    expect(await cairn(renter, 'people', 'remove', renter.id, username)).toMatchObject({ code: 0 });
    expect((await cairn(guest, 'list')).out).toBe('none');
  });

  it.each([
    [['invite', 'ID', 'nobody-here'], 'That user doesn’t exist.'],
    [['change', 'ID', 'nobody-here'], 'nobody-here is not on this server.'],
    [['change', 'ID', 'x', '--rights', 'files,flying'], 'flying is not one of console, power'],
    [['leave', 'ID'], 'The owner of this server'],
    [['accept', 'ID'], 'This invitation no longer exists.'],
  ])('refuses %j', async (words, problem) => {
    const { renter } = await open();
    const given = words.map((word) => (word === 'ID' ? renter.id : word));
    expect(await cairn(renter, 'people', ...given)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(problem),
    });
  });
});

it('cairn server activity prints sentences, and lines for other programs', async () => {
  const { renter, person } = await open();
  const { id } = renter;
  const who = renter.owner.username;
  await cairn(renter, 'people', 'invite', id, person.username, '--rights', 'files');
  const { step } = auditConsumer(database.sql);
  while ((await step()) > 0);
  const table = await cairn(renter, 'activity', id, '--kind', 'access');
  expect(table.out).toContain(`${who} invited ${person.username}: Files`);
  const csv = await cairn(renter, 'activity', id, '--kind', 'access', '--format', 'csv');
  expect(csv.out.split('\n')).toEqual([
    'at,kind,name,by,username,member,data,text',
    expect.stringContaining(`,access,server.member_invited,person,${who},${person.username},`),
  ]);
  const lines = await cairn(renter, 'activity', id, '--limit', '1', '--format', 'jsonl');
  expect(JSON.parse(lines.out)).toMatchObject({ name: 'server.member_invited', member: person.username });
});
