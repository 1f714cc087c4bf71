import { describe, expect, it } from 'vitest';
import { eventsAfter } from '../../platform/events/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { actorFor, member, project, user, version } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { currentSlugOf, findProject, findProjectRow } from '../projects/read.ts';
import { storedColumns } from '../projects/stored-fields.ts';
import { type Change, editProject } from './edit-project.ts';

const database = testDatabase();

const now = new Date('2026-05-01T10:00:00Z');
const begin = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => (await database.sql.begin(work)) as T;

const someone = async (given: Partial<Actor> = {}) => actorFor(await user(database.sql), given);

const change = async (who: Actor, id: string, given: Change, api: 2 | 3 = 2) => {
  const html = `<p>${given.body}</p>`;
  const body = given.body == null ? null : { source: given.body, html, version: 1, revision: 1 };
  await begin(async (tx) => await editProject(tx, who, id, { change: given, body, api, now }));
};

const happened = async (project_id: string) =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000))
    .filter((event) => event.project_id === project_id)
    .map(({ name, data }) => [name, data]);

describe('editing a project', () => {
  it('changes the given fields and keeps the rest; null clears links only', async () => {
    const made = await project(database.sql, { categories: ['storage'] });
    const owner = actorFor(made.owner);
    await change(owner, made.id, {
      title: 'Another title',
      wiki_url: 'https://example.test/w',
      categories: ['utility', 'nonsense', 'utility'],
      donation_urls: [{ id: 'ko-fi', platform: 'whatever', url: 'https://example.test/k' }],
      license_id: 'arr',
      body: 'New body',
    });
    const first = (await findProject(database, made.id, null))!;
    expect(first).toMatchObject({
      title: 'Another title',
      description: 'A project made for a test',
      wiki_url: 'https://example.test/w',
      categories: ['utility'],
      donation_urls: [{ id: 'ko-fi', platform: 'Ko-fi', url: 'https://example.test/k' }],
      license: { id: 'LicenseRef-All-Rights-Reserved' },
      body: 'New body',
    });
    await change(owner, made.id, {
      title: null,
      description: null,
      wiki_url: null,
      slug: null,
      categories: null,
    });
    expect(await findProject(database, made.id, null)).toEqual({ ...first, wiki_url: null });
  });

  it.each(storedColumns)('counts a change of %s, which somebody else may have on screen', async (column) => {
    const { sql } = database;
    const { id } = await project(sql);
    await sql`update projects set ${sql({ [column]: 'https://example.test/new' })} where id = ${id}`;
    const [row] = await sql<
      [{ revision: number; field_revisions: object }]
    >`select revision, field_revisions from projects where id = ${id}`;
    expect(row.field_revisions).toEqual({ [column]: row.revision });
  });

  it('changes the slug, redirects from the old one and keeps it', async () => {
    const made = await project(database.sql, { slug: 'first-address' });
    const owner = actorFor(made.owner);
    await change(owner, made.id, { slug: 'FIRST-address' });
    await change(owner, made.id, { slug: 'Second-Address' });
    expect(await findProject(database, 'first-address', null)).toBeNull();
    expect((await findProject(database, 'second-address', null))?.id).toBe(made.id);
    expect(await currentSlugOf(database.sql, 'first-address')).toBe('second-address');
    const other = await project(database.sql);
    await expect(change(actorFor(other.owner), other.id, { slug: 'second-address' })).rejects.toMatchObject({
      code: 'project_slug_taken',
    });
    const taken = { code: 'project_slug_taken' };
    await expect(change(actorFor(other.owner), other.id, { slug: 'first-address' })).rejects.toMatchObject(
      taken,
    );
    await change(owner, made.id, { slug: 'first-address' });
    expect(await currentSlugOf(database.sql, 'first-address')).toBeNull();
    await change(owner, made.id, { slug: made.id.toLowerCase() });
    expect((await findProject(database, made.id.toLowerCase(), null))?.id).toBe(made.id);
    expect(await happened(made.id)).toContainEqual([
      'project.edited',
      { fields: ['slug'], old_slug: 'first-address' },
    ]);
  });

  it('rewrites the environment of every version from the sides', async () => {
    const made = await project(database.sql);
    await version(database.sql, made, { environment: 'client_and_server' });
    await change(actorFor(made.owner), made.id, { server_side: 'unsupported' });
    const { client_side, server_side, environment } = (await findProject(database, made.id, null))!;
    expect([client_side, server_side, environment]).toEqual(['required', 'unsupported', ['client_only']]);
    await change(actorFor(made.owner), made.id, { environment: 'server_only' }, 3);
    expect((await findProjectRow(database.sql, made.id, null))?.environments).toEqual(['server_only']);
  });

  it('merges links by platform', async () => {
    const made = await project(database.sql);
    const links = async (given: Record<string, string | null>) =>
      await change(actorFor(made.owner), made.id, { links: given }, 3);
    await links({
      issues: 'https://example.test/i',
      site: 'https://example.test/s',
      patreon: 'https://example.test/p',
      github: 'https://example.test/g',
    });
    await links({ issues: null, patreon: null, other: 'https://example.test/o' });
    const row = (await findProjectRow(database.sql, made.id, null))!;
    expect([row.issues_url, row.site_url, row.donation_urls.map(({ id }) => id)]).toEqual([
      null,
      'https://example.test/s',
      ['github', 'other'],
    ]);
    await expect(links({ carrier_pigeon: 'https://example.test' })).rejects.toMatchObject({
      code: 'link_platform_unknown',
    });
  });

  it('refuses each field for which a permission is missing', async () => {
    const made = await project(database.sql);
    await version(database.sql, made);
    const withBits = async (permissions: number) => {
      const person = await user(database.sql);
      await member(database.sql, made.team, person, { permissions });
      return actorFor(person);
    };
    const fields: Array<[Change, bit: number]> = [
      [{ title: 'New title' }, 4],
      [{ slug: 'some-other-slug' }, 4],
      [{ license_id: 'not a ( licence' }, 4],
      [{ categories: [] }, 4],
      [{ links: { wiki: null } }, 4],
      [{ requested_status: null }, 4],
      [{ monetization_status: 'demonetized' }, 4],
      [{ status: 'unlisted' }, 4],
      [{ body: 'Text' }, 8],
      [{ client_side: 'optional' }, 1],
      [{ environment: 'unknown' }, 1],
    ];
    for (const [given, bit] of fields) {
      const without = await withBits(1023 & ~bit);
      await expect(change(without, made.id, given), JSON.stringify(given)).rejects.toMatchObject({
        code: 'permission_missing',
      });
      await expect(change(await someone(), made.id, given)).rejects.toMatchObject({ code: 'not_a_member' });
      if (given.license_id) continue;
      await expect(
        change(await withBits(bit), made.id, given),
        JSON.stringify(given),
      ).resolves.toBeUndefined();
      if (given.status) await change(actorFor(made.owner), made.id, { status: 'approved' });
    }
    await expect(change(await someone(), made.id, {})).rejects.toMatchObject({ code: 'not_a_member' });
    await expect(change(await someone(), 'nowhere1', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('changes nothing when one field is refused', async () => {
    const made = await project(database.sql);
    const before = await findProject(database, made.id, null);
    await expect(
      change(actorFor(made.owner), made.id, { title: 'New title', moderation_message: 'Nice' }),
    ).rejects.toMatchObject({ code: 'moderators_only' });
    await expect(
      change(actorFor(made.owner), made.id, { title: 'New title', status: 'rejected' }),
    ).rejects.toMatchObject({ code: 'move_refused' });
    expect(await findProject(database, made.id, null)).toEqual(before);
    expect(await happened(made.id)).toEqual([]);
  });
});

describe('the status', () => {
  it('moves from draft through review to approval, with timestamps', async () => {
    const made = await project(database.sql, { status: 'draft', moderation_message: 'Please add a version' });
    const owner = actorFor(made.owner);
    const moderator = await someone({ role: 'moderator' });
    const displayed = async () => (await findProject(database, made.id, owner))!;
    await expect(change(owner, made.id, { status: 'processing' })).rejects.toMatchObject({
      code: 'version_required',
    });
    await version(database.sql, made);
    await change(owner, made.id, { status: 'processing' });
    expect(await displayed()).toMatchObject({
      status: 'processing',
      queued: '2026-05-01T10:00:00Z',
      approved: null,
      moderator_message: null,
    });
    await expect(change(owner, made.id, { status: 'approved' })).rejects.toMatchObject({
      code: 'move_refused',
    });
    await change(moderator, made.id, { status: 'approved' });
    expect((await displayed()).approved).toBe('2026-05-01T10:00:00Z');
    await begin(
      async (tx) =>
        await editProject(tx, owner, made.id, { change: { status: 'draft' }, body: null, api: 2, now }),
    );
    const later = new Date('2027-01-01T00:00:00Z');
    await begin(
      async (tx) =>
        await editProject(tx, moderator, made.id, {
          change: { status: 'unlisted' },
          body: null,
          api: 2,
          now: later,
        }),
    );
    expect(await displayed()).toMatchObject({ status: 'unlisted', approved: '2026-05-01T10:00:00Z' });
    expect(await happened(made.id)).toEqual([
      ['project.moved', { from: 'draft', to: 'processing' }],
      ['project.moved', { from: 'processing', to: 'approved', first: true }],
      ['project.moved', { from: 'approved', to: 'draft' }],
      ['project.moved', { from: 'draft', to: 'unlisted' }],
    ]);
  });

  it('v2 removes the archived disclosure with another status, v3 keeps it', async () => {
    const made = await project(database.sql);
    const owner = actorFor(made.owner);
    const row = async () => {
      const { status, archived } = (await findProjectRow(database.sql, made.id, owner))!;
      return [status, archived];
    };
    await change(owner, made.id, { status: 'archived' });
    expect(await row()).toEqual(['approved', true]);
    await change(owner, made.id, { status: 'unlisted' }, 3);
    expect(await row()).toEqual(['unlisted', true]);
    await change(owner, made.id, { status: 'approved' });
    expect(await row()).toEqual(['approved', false]);
  });

  it('lets members clear the message of an approved project and moderators write it', async () => {
    const made = await project(database.sql);
    await change(await someone({ role: 'moderator' }), made.id, {
      moderation_message: 'Well done',
      moderation_message_body: 'Really',
    });
    expect((await findProject(database, made.id, null))?.moderator_message).toEqual({
      message: 'Well done',
      body: 'Really',
    });
    await change(actorFor(made.owner), made.id, { moderation_message: null });
    expect((await findProject(database, made.id, null))?.moderator_message).toBeNull();
  });
});
