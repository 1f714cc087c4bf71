import { describe, expect, it } from 'vitest';
import { changeStatus } from '../../catalogue/projects/change-status.ts';
import { lockProject } from '../../catalogue/projects/locked.ts';
import { findProject, notFoundReason } from '../../catalogue/projects/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { actorFor, project, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { takedownCounts } from './counts.ts';
import { listTakedowns, takedownOf } from './read.ts';
import { decideTakedown, restoreProject, sendCounterNotice, takeDown } from './write.ts';

const database = testDatabase();
const now = new Date('2026-05-01T10:00:00Z');
const moderator = async () => actorFor(await user(database.sql), { role: 'moderator' });
const legal_hold = (who: Actor, id: string) =>
  database.sql.begin(async (tx) =>
    takeDown(tx, who, await lockProject(tx, id, who), { reason: 'Order 7 of the court', now }),
  );
const release = (who: Actor, id: string) =>
  database.sql.begin(async (tx) => restoreProject(tx, who, await lockProject(tx, id, who), now));
const reported = async (name: string) => (await notFoundReason(database.sql, name)).code;

describe('a project under legal hold', () => {
  it('is hidden from others, who get the reason, and returns unchanged', async () => {
    const made = await project(database.sql, { status: 'unlisted' });
    const staff = await moderator();
    await legal_hold(staff, made.id);
    expect(await findProject(database, made.id, null)).toBeNull();
    expect([await reported(made.id), await reported(made.slug), await reported('never-was')]).toEqual([
      'unavailable_for_legal_reasons',
      'unavailable_for_legal_reasons',
      'not_found',
    ]);
    await release(staff, made.id);
    expect(await findProject(database, made.id, null)).toMatchObject({ status: 'unlisted' });
  });

  it('cannot change its status, not even by staff', async () => {
    const made = await project(database.sql);
    const staff = await moderator();
    await legal_hold(staff, made.id);
    const retried = database.sql.begin(async (tx) =>
      changeStatus(tx, staff, await lockProject(tx, made.id, staff), { to: 'approved', api: 2, now }),
    );
    await expect(retried).rejects.toMatchObject({ code: 'unavailable_for_legal_reasons' });
    await expect(legal_hold(staff, made.id)).rejects.toMatchObject({ code: 'already_held' });
  });

  it('is held and released by staff only', async () => {
    const made = await project(database.sql);
    await expect(legal_hold(actorFor(made.owner), made.id)).rejects.toMatchObject({
      code: 'moderators_only',
    });
    await expect(release(await moderator(), made.id)).rejects.toMatchObject({ code: 'not_held' });
    expect(await findProject(database, made.id, null)).not.toBeNull();
  });
});

describe('a counter-notice', () => {
  const notice = 'I drew every texture myself; the sources are in my repository.';
  const send = (who: Actor, id: string) =>
    database.sql.begin(async (tx) =>
      sendCounterNotice(tx, who, await lockProject(tx, id, who), { notice, now }),
    );
  const decide = (who: Actor, id: string, restores: boolean, message = '') =>
    database.sql.begin((tx) => decideTakedown(tx, who, id, { restores, message, now }));
  const held = async () => {
    const made = await project(database.sql);
    const staff = await moderator();
    await legal_hold(staff, made.id);
    const takedown = (await takedownOf(database.sql, made.id))!;
    return { made, staff, owner: actorFor(made.owner), takedown };
  };

  it('is sent once by a member, waits in the list of staff, and a refusal is told in the thread', async () => {
    const { made, staff, owner, takedown } = await held();
    await expect(decide(staff, takedown.id, false)).rejects.toMatchObject({ code: 'no_counter_notice' });
    await send(owner, made.id);
    await expect(send(owner, made.id)).rejects.toMatchObject({ code: 'counter_notice_sent' });
    const waiting = { view: 'answered', text: '', limit: 20, offset: 0 } as const;
    expect((await listTakedowns(database.sql, waiting)).takedowns).toMatchObject([
      { id: takedown.id, counter_notice: notice, counter_by: made.owner.username },
    ]);
    await decide(staff, takedown.id, false, 'The order names your project.');
    await expect(decide(staff, takedown.id, false)).rejects.toMatchObject({ code: 'no_counter_notice' });
    expect((await listTakedowns(database.sql, waiting)).total).toBe(0);
    const [{ body } = { body: null }] = await database.sql`
      select m.body from thread_messages m join projects p on p.thread_id = m.thread_id
      where p.id = ${made.id} and m.type = 'text'`;
    expect(body).toMatchObject({ body: 'The order names your project.' });
    expect(await findProject(database, made.id, null)).toBeNull();
  });

  it('that is right brings the project back, and both are counted', async () => {
    const { made, staff, owner, takedown } = await held();
    const before = (await takedownCounts(database.sql)).find(({ kind }) => kind === 'order')!;
    await send(owner, made.id);
    await decide(staff, takedown.id, true, 'You’re right.');
    expect(await findProject(database, made.id, null)).toMatchObject({ status: 'approved' });
    expect((await takedownCounts(database.sql)).find(({ kind }) => kind === 'order')).toMatchObject({
      year: 2026,
      answered: before.answered + 1,
      restored: before.restored + 1,
      in_force: before.in_force - 1,
    });
    await expect(decide(staff, takedown.id, true)).rejects.toMatchObject({ code: 'takedown_over' });
  });

  it('is for members, and decided by staff', async () => {
    const { made, owner, takedown } = await held();
    const stranger = actorFor(await user(database.sql));
    await expect(send(stranger, made.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(decide(owner, takedown.id, true)).rejects.toMatchObject({ code: 'moderators_only' });
  });
});

it('a takedown is found by what its notice says, and stays when its project is deleted', async () => {
  const made = await project(database.sql);
  const staff = await moderator();
  await database.sql.begin(async (tx) =>
    takeDown(tx, staff, await lockProject(tx, made.id, staff), {
      kind: 'copyright',
      reason: 'Copies the lanterns of another mod',
      reference: '100%_N-77',
      now,
    }),
  );
  await database.sql`delete from projects where id = ${made.id}`;
  const asked = { view: 'all', limit: 20, offset: 0 } as const;
  const { takedowns } = await listTakedowns(database.sql, { ...asked, text: '0%_n-7' });
  expect(takedowns).toMatchObject([{ project_id: null, kind: 'copyright' }]);
  expect((await listTakedowns(database.sql, { ...asked, text: '100X' })).total).toBe(0);
});
