import { describe, expect, it } from 'vitest';
import type { Actor } from '../../platform/people/rules.ts';
import { actorFor, member, organization, project, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { teamMemberShape, teamMemberV3Shape } from '../teams/shape.ts';
import { create } from '../teams/write.ts';
import { memberOf, membersOf, memberV3Of } from './read.ts';

const database = testDatabase();

async function staffed(status = 'approved') {
  const sql = database.sql;
  const made = await project(sql, { status });
  const artist = await user(sql);
  const invited = await user(sql);
  await member(sql, made.team, artist, { role: 'Owner', permissions: 4, payouts_split: 12.5, ordering: -1 });
  await member(sql, made.team, invited, { role: 'Tester', accepted: false, ordering: 7 });
  return { ...made, artist, invited };
}

describe('the members of a team', () => {
  it('are shown to outsiders without permissions, payouts and invitations', async () => {
    const made = await staffed();
    for (const viewer of [
      null,
      actorFor(await user(database.sql)),
      actorFor(await user(database.sql), { role: 'moderator' }),
    ]) {
      const found = await membersOf(database, [made.team], viewer, { alone: true });
      expect(found.map((one) => [one.user.username, memberOf(one).role])).toEqual([
        [made.artist.username, 'Member'],
        [made.owner.username, 'Owner'],
      ]);
      for (const one of found) {
        expect(teamMemberShape.parse(memberOf(one))).toMatchObject({
          permissions: null,
          payouts_split: null,
          accepted: true,
        });
        expect(memberV3Of(one).organization_permissions).toBeNull();
      }
    }
  });

  it('are shown completely to an accepted member, sorted by ordering', async () => {
    const made = await staffed();
    const found = await membersOf(database, [made.team], actorFor(made.artist));
    expect(found.map((one) => teamMemberV3Shape.parse(memberV3Of(one)))).toMatchObject([
      { role: 'Owner', is_owner: false, permissions: 4, payouts_split: 12.5, ordering: -1 },
      { role: 'Member', is_owner: true, permissions: 1023, payouts_split: 100, ordering: 0 },
      { role: 'Tester', accepted: false, permissions: 0, ordering: 7 },
    ]);
  });

  it("include an invitee's own invitation only in the request for a single team", async () => {
    const made = await staffed();
    const names = async (alone: boolean) =>
      (await membersOf(database, [made.team], actorFor(made.invited), { alone })).map(
        ({ user_id }) => user_id,
      );
    expect(await names(true)).toEqual([made.artist.id, made.owner.id, made.invited.id]);
    expect(await names(false)).toEqual([made.artist.id, made.owner.id]);
  });

  it('of a hidden project are visible to members and moderators only', async () => {
    const made = await staffed('draft');
    const count = async (viewer: Actor | null) => (await membersOf(database, [made.team], viewer)).length;
    expect(await count(null)).toBe(0);
    expect(await count(actorFor(await user(database.sql)))).toBe(0);
    expect(await count(actorFor(made.invited))).toBe(2);
    expect(await count(actorFor(made.artist))).toBe(3);
    expect(await count(actorFor(await user(database.sql), { role: 'moderator' }))).toBe(2);
  });

  it('of an organization include invitations for its accepted members', async () => {
    const owning = await organization(database.sql);
    await project(database.sql, { organization: owning });
    const invited = await user(database.sql);
    await member(database.sql, owning.team_id, invited, { accepted: false });
    expect(await membersOf(database, [owning.team_id], null)).toHaveLength(1);
    const inside = await membersOf(database, [owning.team_id], actorFor(owning.owner));
    expect(inside).toHaveLength(2);
    expect(memberV3Of(inside[0]!).organization_permissions).toBe(255);
  });

  it('of an organization without a searchable project or a second member are hidden', async () => {
    const owning = await organization(database.sql);
    await project(database.sql, { organization: owning, status: 'unlisted' });
    const invited = await user(database.sql);
    await member(database.sql, owning.team_id, invited, { accepted: false });
    const count = async (viewer: Actor | null) =>
      (await membersOf(database, [owning.team_id], viewer, { alone: true })).length;
    expect(await count(null)).toBe(0);
    expect(await count(actorFor(await user(database.sql)))).toBe(0);
    expect(await count(actorFor(invited))).toBe(2);
    expect(await count(actorFor(owning.owner))).toBe(2);
    expect(await count(actorFor(await user(database.sql), { role: 'moderator' }))).toBe(1);
    await member(database.sql, owning.team_id, await user(database.sql));
    expect(await count(null)).toBe(2);
  });

  it('are empty for an unknown team', async () => {
    expect(await membersOf(database, ['nowhere1'], null)).toEqual([]);
    expect(await membersOf(database, [], null)).toEqual([]);
  });
});

describe('a new team', () => {
  it('has its owner with all permissions, or no members', async () => {
    const owner = await user(database.sql);
    const team_id = await database.sql.begin(async (tx) => await create(tx, owner.id));
    const rows = await database.sql`select * from team_members where team_id = ${team_id}`;
    expect(rows).toMatchObject([
      {
        user_id: owner.id,
        role: 'Member',
        is_owner: true,
        permissions: 1023,
        organization_permissions: null,
        accepted: true,
        payouts_split: '100',
        ordering: 0,
      },
    ]);
    const empty = await create(database.sql, null);
    expect(await database.sql`select 1 from team_members where team_id = ${empty}`).toHaveLength(0);
  });
});
