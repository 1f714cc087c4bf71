import { beforeEach, describe, expect, it } from 'vitest';
import { block } from '../../accounts/friends/write.ts';
import { recordEvent } from '../../platform/events/write.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { changeStatus } from '../projects/change-status.ts';
import { lockProject } from '../projects/locked.ts';
import type { Status } from '../projects/rules.ts';
import { releaseDue } from '../publishing/release.ts';
import { followedPeople, followersOfUser, followUser, unfollowUser } from './people.ts';
import { projectUpdatesConsumer } from './project-updates.ts';
import { people_per_user } from './rules.ts';

const database = testDatabase();
const now = new Date();
let maker: build.BuiltUser;
let fan: build.BuiltUser;
beforeEach(async () => {
  const { sql } = database;
  maker = await build.user(sql);
  fan = await build.user(sql);
});
const follows = (who: build.BuiltUser, whom: { id: string }) =>
  database.sql.begin((tx) => followUser(tx, build.actorFor(who), whom.id, now));
const leaves = (who: build.BuiltUser, whom: { id: string }) =>
  database.sql.begin((tx) => unfollowUser(tx, build.actorFor(who), whom.id));

describe('following a person', () => {
  it('counts each follower once, also when asked twice at once, and ends as often', async () => {
    await Promise.all([follows(fan, maker), follows(fan, maker)]);
    expect(await followersOfUser(database.sql, maker.id)).toBe(1);
    const listed = () => followedPeople(database, fan.id, { limit: 10, offset: 0 });
    expect(await listed()).toMatchObject({ total: 1, people: [{ id: maker.id, username: maker.username }] });
    await leaves(fan, maker);
    await leaves(fan, maker);
    expect(await listed()).toEqual({ total: 0, people: [] });
  });

  it('is refused for nobody, oneself and after a block, which ends it both ways', async () => {
    const { sql } = database;
    await expect(follows(fan, { id: 'zzzzzzzz' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(follows(fan, fan)).rejects.toMatchObject({ code: 'follow_self' });
    await follows(fan, maker);
    await follows(maker, fan);
    await sql.begin((tx) => block(tx, build.actorFor(maker), fan.id, now));
    expect([await followersOfUser(sql, maker.id), await followersOfUser(sql, fan.id)]).toEqual([0, 0]);
    for (const [who, whom] of [
      [fan, maker],
      [maker, fan],
    ] as const)
      await expect(follows(who, whom)).rejects.toMatchObject({ code: 'user_not_followable' });
  });

  it('has a limit, and ends with either account', async () => {
    const { sql } = database;
    await sql`
      insert into users (id, username, email)
      select 'L' || lpad(n::text, 6, '0'), 'liked-' || n, 'l' || n || '@example.test'
      from generate_series(1, ${people_per_user}::int) n`;
    await sql`insert into user_follows (user_id, followed_id) select ${fan.id}, id from users where username ~ '^liked-'`;
    await expect(follows(fan, maker)).rejects.toMatchObject({ code: 'limit_reached' });
    await sql`delete from users where username ~ '^liked-'`;
    await follows(fan, maker);
    await sql`delete from users where id = ${fan.id}`;
    expect(await followersOfUser(sql, maker.id)).toBe(0);
  });
});

describe('a new project of a followed person', () => {
  const drain = async () => {
    const consumer = projectUpdatesConsumer(database.sql);
    while ((await consumer.step()) > 0);
  };
  beforeEach(drain);
  const move = async (project: build.BuiltProject, ...ways: Status[]) => {
    const { sql } = database;
    const staff = build.actorFor(await build.user(sql, { role: 'admin' }), { role: 'admin' });
    for (const to of ways)
      await sql.begin(async (tx) =>
        changeStatus(tx, staff, await lockProject(tx, project.id, staff), { to, api: 3, now }),
      );
  };
  const made = async (status = 'processing') => {
    const project = await build.project(database.sql, { owner: maker, status });
    await build.version(database.sql, project);
    return project;
  };
  const told = async (who = fan) =>
    database.sql`
      select body, on_site, mail from notifications where user_id = ${who.id} and type = 'new_project'`;

  it('is told once to the followers, however often it is hidden and shown again', async () => {
    await follows(fan, maker);
    const project = await made();
    await move(project, 'approved');
    await drain();
    const once = [{ body: { project_id: project.id, published_by: maker.id }, on_site: true, mail: null }];
    expect(await told()).toEqual(once);
    await database.sql`delete from notifications where user_id = ${fan.id}`;
    await move(project, 'private', 'approved');
    await drain();
    expect(await told()).toEqual([]);
    // who follows later hears of no old project either
    const late = await build.user(database.sql);
    await follows(late, maker);
    await move(project, 'unlisted', 'approved');
    await drain();
    expect(await told(late)).toEqual([]);
  });

  it('is told when it is public first, not when it was approved to stay hidden', async () => {
    const { sql } = database;
    await follows(fan, maker);
    const project = await made();
    await move(project, 'private');
    await drain();
    expect(await told()).toEqual([]);
    await sql`
      update projects set status = 'scheduled', requested_status = 'approved', scheduled_for = ${now}
      where id = ${project.id}`;
    await releaseDue(sql, now);
    await drain();
    expect(await told()).toHaveLength(1);
  });

  it('is not told while it is hidden again, to its own team, to blocked people or of somebody suspended', async () => {
    const { sql } = database;
    await follows(fan, maker);
    const hidden = await made();
    await move(hidden, 'approved', 'private');
    const own = await made();
    await sql`insert into team_members ${sql({ team_id: own.team, user_id: fan.id, accepted: true, role: 'Artist' })}`;
    await move(own, 'approved');
    await drain();
    expect(await told()).toEqual([]);
    const other = await made();
    await sql`insert into blocks ${sql({ user_id: maker.id, blocked_id: fan.id, created: now })}`;
    await move(other, 'approved');
    await drain();
    expect(await told()).toEqual([]);
    await sql`delete from blocks where user_id = ${maker.id}`;
    await sql`update users set suspended_until = now() + interval '1 day' where id = ${maker.id}`;
    await move(await made(), 'approved');
    await drain();
    expect(await told()).toEqual([]);
  });

  it('is mailed and shown as its readers chose', async () => {
    const { sql } = database;
    const quiet = await build.user(sql);
    for (const who of [fan, quiet]) await follows(who, maker);
    const choose = (who: build.BuiltUser, site: boolean, mail: string) =>
      sql`insert into notification_choices (user_id, types)
        values (${who.id}, ${sql.json({ new_project: { site, mail } })})`;
    await choose(fan, false, 'daily');
    await choose(quiet, false, 'off');
    const project = await made();
    await recordEvent(sql, {
      name: 'project.moved',
      project_id: project.id,
      data: { from: 'processing', to: 'approved', first: true },
    });
    await sql`update projects set status = 'approved' where id = ${project.id}`;
    await drain();
    expect(await told()).toMatchObject([{ on_site: false, mail: 'daily' }]);
    expect(await told(quiet)).toEqual([]);
  });
});
