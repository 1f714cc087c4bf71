import { describe, expect, it } from 'vitest';
import type { Actor } from '../people/rules.ts';
import { actorFor, project, user } from '../testing/builders/build.ts';
import { testDatabase } from '../testing/database.ts';
import { changeStatus } from './change-status.ts';
import { placeLegalHold, releaseLegalHold } from './legal-hold.ts';
import { lockProject } from './locked.ts';
import { findProject, notFoundReason } from './read.ts';

const database = testDatabase();
const now = new Date('2026-05-01T10:00:00Z');
const moderator = async () => actorFor(await user(database.sql), { role: 'moderator' });
const legal_hold = (who: Actor, id: string) =>
  database.sql.begin(async (tx) =>
    placeLegalHold(tx, who, await lockProject(tx, id, who), { reason: 'Order 7 of the court', now }),
  );
const release = (who: Actor, id: string) =>
  database.sql.begin(async (tx) => releaseLegalHold(tx, who, await lockProject(tx, id, who), now));
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
