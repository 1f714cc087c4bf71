import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../platform/people/rules.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { inviteMember, removeMember } from '../members/write.ts';
import { strangers_per_day } from './invitations.ts';

const database = testDatabase();
const now = new Date('2026-11-29T12:00:00Z');
let owner: build.BuiltUser;
let actor: Actor;
let project: build.BuiltProject;
beforeAll(async () => {
  owner = await build.user(database.sql);
  actor = build.actorFor(owner);
  project = await build.project(database.sql, { owner });
});

const invite = (user_id: string, at = now) =>
  database.sql.begin((tx) =>
    inviteMember(
      tx,
      actor,
      project.team,
      { user_id, role: 'Member', permissions: 0, payouts_split: 0, ordering: 0 },
      at,
    ),
  );
const remove = (user_id: string) =>
  database.sql.begin((tx) => removeMember(tx, actor, { team_id: project.team, user_id }));
const told = async (user_id: string): Promise<number> =>
  (await database.sql`select 1 from notifications where user_id = ${user_id}`).length;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

test('somebody who is invited, removed and invited again is told once in an hour', async () => {
  const person = await build.user(database.sql);
  for (const minutes of [0, 1, 30]) {
    await invite(person.id, later(minutes));
    await remove(person.id);
  }
  expect(await told(person.id)).toBe(1);
  await database.sql`update notifications set created = ${now} where user_id = ${person.id}`;
  await invite(person.id, later(61));
  expect(await told(person.id)).toBe(2);
});

test('who blocked somebody gets no invitation of theirs', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  await sql`insert into blocks ${sql({ user_id: person.id, blocked_id: owner.id, created: now })}`;
  await expect(invite(person.id)).rejects.toMatchObject({ code: 'invitation_blocked' });
  expect(await told(person.id)).toBe(0);
});

test('a day has so many invitations of strangers; friends do not count', async () => {
  const { sql } = database;
  const day = new Date('2026-12-01T12:00:00Z');
  const people = await Promise.all(Array.from({ length: strangers_per_day + 1 }, () => build.user(sql)));
  for (const { id } of people.slice(0, -1)) await invite(id, day);
  const last = people.at(-1)!;
  await expect(invite(last.id, day)).rejects.toMatchObject({ code: 'invitations_too_many' });
  const friend = await build.user(sql);
  await sql`insert into friends ${sql({ user_id: friend.id, friend_id: owner.id, accepted: true, created: day })}`;
  await invite(friend.id, day);
  await invite(last.id, new Date('2026-12-02T00:00:01Z'));
});
