import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventsAfter } from '../../platform/events/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { diskStorage } from '../../platform/storage/disk.ts';
import { actorFor, member, organization, project, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { limits } from '../projects/limits.ts';
import { findProject, projectRef } from '../projects/read.ts';
import { createProject, type NewProject, validateNewProject } from './create-project.ts';
import { createShape } from './shape.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-projects-'));
const storage = diskStorage(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const now = new Date('2026-05-01T10:00:00Z');
const begin = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => (await database.sql.begin(work)) as T;

const someone = async (given: Partial<Actor> = {}) => actorFor(await user(database.sql), given);

const happened = async (project_id: string) =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000))
    .filter((event) => event.project_id === project_id)
    .map(({ name, data }) => [name, data]);

let count = 0;
const newProject = (given: Record<string, unknown> = {}, more: Partial<NewProject> = {}): NewProject => ({
  data: createShape.parse({
    title: 'A new thing',
    slug: `new-thing-${++count}`,
    description: 'What it is about',
    body: 'Text',
    client_side: 'required',
    server_side: 'optional',
    initial_versions: [],
    categories: ['storage'],
    license_id: 'MIT',
    is_draft: true,
    ...given,
  }),
  body: { source: 'Text', html: '<p>Text</p>', version: 1 },
  versions: [],
  icon: null,
  gallery: [],
  ...more,
});
const picture = (text: string) => ({
  raw: { suffix: '.png', bytes: Buffer.from(text) },
  copies: [{ suffix: '_96.webp', bytes: Buffer.from(`small ${text}`) }],
});
const stored = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
};

describe('creating a project', () => {
  it('creates a team with its owner, and stores the given fields', async () => {
    const who = await someone();
    const made = newProject({
      slug: 'Upper-Case',
      license_id: 'arr',
      donation_urls: [{ id: 'x', platform: 'patreon', url: 'https://example.test/p' }],
      discord_url: 'https://example.test/d',
      additional_categories: ['utility', 'utility'],
    });
    const id = await createProject(begin, storage, who, made, now);
    expect(await findProject(database, id, who)).toMatchObject({
      slug: 'upper-case',
      status: 'draft',
      requested_status: 'approved',
      published: '2026-05-01T10:00:00Z',
      queued: null,
      approved: null,
      license: { id: 'LicenseRef-All-Rights-Reserved' },
      categories: ['storage'],
      additional_categories: ['utility'],
      donation_urls: [{ id: 'patreon', platform: 'Patreon', url: 'https://example.test/p' }],
      discord_url: 'https://example.test/d',
      wiki_url: null,
      versions: [],
    });
    const { team } = (await projectRef(database.sql, id))!;
    expect(
      await database.sql`select user_id, is_owner, accepted, permissions from team_members where team_id = ${team}`,
    ).toEqual([{ user_id: who.user_id, is_owner: true, accepted: true, permissions: 1023 }]);
    expect(await happened(id)).toEqual([['project.created', { status: 'draft' }]]);
  });

  it('refuses invalid input before any file is read', async () => {
    const who = await someone();
    const refused = (given: Record<string, unknown>, by = who) => {
      try {
        validateNewProject(by, newProject(given).data);
        return null;
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    expect(refused({})).toBeNull();
    expect(refused({}, { ...who, email_verified: false })).toBe('email_unverified');
    expect(refused({ is_draft: false })).toBe('version_required');
    expect(refused({ slug: 'a b c' })).toBe('slug_invalid');
    expect(refused({ categories: ['nonsense'] })).toBe('category_unknown');
    expect(refused({ additional_categories: ['nonsense'] })).toBe('category_unknown');
    expect(refused({ license_id: 'no such (' })).toBe('license_unknown');
    expect(refused({ requested_status: 'rejected' })).toBe('requested_status_invalid');
    expect(refused({ donation_urls: [{ id: 'a', platform: 'b', url: 'https://example.test' }] })).toBe(
      'donation_platform_unknown',
    );
    const item = (name: string) => ({ item: name, featured: true, ordering: 0 });
    expect(refused({ gallery_items: [item('a'), item('b')] })).toBe('gallery_featured_twice');
  });

  it('stores its images, and removes them when it is refused', async () => {
    const who = await someone();
    const gallery_items = [{ item: 'g1', featured: true, name: 'Front', ordering: 3 }];
    const pictures = {
      icon: { ...picture('icon'), color: 255 },
      gallery: [{ item: 'g1', picture: picture('gallery') }],
    };
    const id = await createProject(
      begin,
      storage,
      who,
      newProject({ slug: 'with-pictures', gallery_items }, pictures),
      now,
    );
    const displayed = (await findProject(database, id, who))!;
    expect(displayed.color).toBe(255);
    expect(displayed.icon_url).toMatch(new RegExp(`/data/${id}/[0-9a-f]{40}_96\\.webp$`));
    expect(displayed.raw_icon_url).toMatch(new RegExp(`/data/${id}/[0-9a-f]{40}\\.png$`));
    expect(displayed.gallery).toMatchObject([
      { featured: true, title: 'Front', description: null, ordering: 3 },
    ]);
    expect(displayed.gallery[0]?.url).toMatch(new RegExp(`/data/${id}/images/[0-9a-f]{40}_96\\.webp$`));
    const before = await stored('data/');
    expect(before).toHaveLength(4);

    const retried = createProject(
      begin,
      storage,
      who,
      newProject({ slug: 'WITH-pictures', gallery_items }, pictures),
      now,
    );
    await expect(retried).rejects.toMatchObject({ code: 'project_slug_taken' });
    const twice = [...gallery_items, { item: 'g2', featured: false, ordering: 1 }];
    const same = { gallery: [...pictures.gallery, { item: 'g2', picture: picture('gallery') }] };
    await expect(
      createProject(begin, storage, who, newProject({ gallery_items: twice }, same), now),
    ).rejects.toMatchObject({ code: 'gallery_picture_repeated' });
    expect(await stored('data/')).toEqual(before);
  });

  it('refuses a slug that is the lower-cased id of another project', async () => {
    const other = await project(database.sql);
    const made = createProject(
      begin,
      storage,
      await someone(),
      newProject({ slug: other.id.toLowerCase() }),
      now,
    );
    await expect(made).rejects.toMatchObject({ code: 'project_slug_taken' });
  });

  it('lets exactly one of many concurrent creates take a slug', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, async () => await someone()));
    const tried = await Promise.allSettled(
      people.map(
        async (who) => await createProject(begin, storage, who, newProject({ slug: 'contested' }), now),
      ),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tried)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'project_slug_taken' });
  });

  it('enforces the project limit of a user, also concurrently, but not of an administrator', async () => {
    const who = await someone();
    const rows = Array.from({ length: limits.per_user - 1 }, (_, position) => `limit-${position}`);
    await database.sql`insert into teams select ${'L'} || lpad(n::text, 4, '0') from generate_series(1, ${rows.length}) n`;
    await database.sql`
      insert into team_members (team_id, user_id, is_owner, accepted) select ${'L'} || lpad(n::text, 4, '0'), ${who.user_id}, true, true
      from generate_series(1, ${rows.length}) n`;
    await database.sql`
      insert into projects (id, slug, team, title, description, status, license_id, thread_id)
      select ${'P'} || lpad(n::text, 4, '0'), 'limit-' || n, ${'L'} || lpad(n::text, 4, '0'), 'Title', 'Text', 'draft', 'MIT', 'T'
      from generate_series(1, ${rows.length}) n`;
    const tried = await Promise.allSettled(
      [1, 2, 3].map(async () => await createProject(begin, storage, who, newProject(), now)),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(tried.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'limit_reached', data: { limit: 256 } },
    });
    await expect(
      createProject(begin, storage, { ...who, role: 'admin' }, newProject(), now),
    ).resolves.toBeTruthy();
  });

  it('needs ADD_PROJECT inside an organization, and leaves the team empty', async () => {
    const owning = await organization(database.sql);
    const builder = await someone();
    const reader = await someone();
    await member(
      database.sql,
      owning.team_id,
      { id: builder.user_id },
      { organization_permissions: 16, permissions: 0 },
    );
    await member(database.sql, owning.team_id, { id: reader.user_id }, { organization_permissions: 15 });
    const make = async (who: Actor, organization_id = owning.id) =>
      await createProject(begin, storage, who, newProject({ organization_id }), now);
    const { team, organization: organization_id } = (await projectRef(database.sql, await make(builder)))!;
    expect(organization_id).toBe(owning.id);
    expect(await database.sql`select 1 from team_members where team_id = ${team}`).toHaveLength(0);
    await expect(make(reader)).rejects.toMatchObject({ code: 'permission_missing' });
    await expect(make(await someone())).rejects.toMatchObject({ code: 'not_a_member' });
    await expect(make(builder, 'nowhere1')).rejects.toMatchObject({ code: 'organization_unknown' });
  });
});
