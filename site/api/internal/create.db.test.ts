import { beforeEach, describe, expect, test } from 'vitest';
import { projectsOfMember } from '#db/catalogue/projects/of-member.ts';
import { findProject } from '#db/catalogue/projects/read.ts';
import { projectTypes } from '#db/catalogue/tags/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { submittedForm } from '../../platform/forms/form-cookie.ts';
import { projectPath } from '../../platform/paths/routes.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

let me: build.BuiltUser;
beforeEach(async () => {
  me = await build.user(database.sql);
});

async function send(form: string, json: Record<string, string>, who = me) {
  const { session } = await openSession(database.sql, { user_id: who.id, user_agent: null, now: new Date() });
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` };
  const answer = await api.call('POST', `/_internal/create/${form}`, { headers, json });
  const body = (await answer.json()) as {
    to?: string;
    details?: { code: string; fields: Array<{ field: string | null }> };
  };
  return { to: body.to, code: body.details?.code, fields: body.details?.fields.map(({ field }) => field) };
}
const ferns = { type: 'shader', name: '  Pale\tFerns ', slug: '', summary: 'Ferns for dark corners' };
const mine = (who = me) => projectsOfMember(database, build.actorFor(who));

describe('a new project', () => {
  test('is a draft of the chosen type at the address of its name', async () => {
    expect(await send('project', { ...ferns, visibility: 'unlisted' })).toMatchObject({
      to: '/shader/pale-ferns/version/create',
    });
    expect(await mine()).toMatchObject([
      { slug: 'pale-ferns', title: 'Pale Ferns', status: 'draft', project_types: ['shader'], editable: true },
    ]);
    const [row] =
      await database.sql`select requested_status, license_id, body from projects where slug = 'pale-ferns'`;
    expect(row).toEqual({ requested_status: 'unlisted', license_id: 'LicenseRef-Unknown', body: '' });
  });

  test.each(projectTypes)('that is a %s has that type in its address before its first file', async (type) => {
    const name = `Ferns as ${type}`;
    expect((await send('project', { ...ferns, type, name })).to).toBe(
      `/${type}/ferns-as-${type}/version/create`,
    );
    const context = { sql: database.sql, settings: api.services.settings };
    const project = await findProject(context, `ferns-as-${type}`, build.actorFor(me));
    expect(projectPath(project!)).toBe(`/${type}/ferns-as-${type}`);
  });

  test.each<[string, Record<string, string>, string, string[]]>([
    ['no type', { type: 'recipe' }, 'invalid_input', ['type']],
    ['a short name and summary', { name: 'ab', summary: 'x' }, 'invalid_input', ['name', 'summary']],
    ['a name of 65', { name: 'a'.repeat(65) }, 'invalid_input', ['name']],
    ['a name that gives no address', { name: 'فوانيس', slug: '' }, 'slug_invalid', ['slug']],
    ['a wrong address', { slug: 'a/b' }, 'slug_invalid', ['slug']],
    ['an unknown organization', { organization_id: 'nowhere1' }, 'organization_unknown', ['organization_id']],
    ['what is no organization', { organization_id: '!' }, 'invalid_input', ['organization_id']],
    ['another status', { visibility: 'processing' }, 'invalid_input', ['visibility']],
  ])('%s is refused beside its field', async (_what, change, code, fields) => {
    expect(await send('project', { ...ferns, slug: 'never-made', ...change })).toMatchObject({
      code,
      fields,
    });
    expect(await mine()).toEqual([]);
  });

  test('an address that is taken is refused beside the address', async () => {
    const other = await build.project(database.sql);
    const answer = await send('project', { ...ferns, slug: other.slug });
    expect(answer).toMatchObject({ code: 'project_slug_taken', fields: ['slug'] });
  });

  test('belongs to the organization that was chosen, for those who may add to it', async () => {
    const owning = await build.organization(database.sql);
    await build.member(database.sql, owning.team_id, me, { organization_permissions: 16, permissions: 0 });
    const given = { ...ferns, name: 'Ferns of ours', organization_id: owning.id };
    expect((await send('project', given)).to).toBe('/shader/ferns-of-ours/version/create');
    expect(await mine()).toMatchObject([{ organization: { slug: owning.slug } }]);
    const reader = await build.user(database.sql);
    await build.member(database.sql, owning.team_id, reader, { organization_permissions: 0 });
    expect(await send('project', { ...given, slug: 'ferns-2' }, reader)).toMatchObject({
      code: 'permission_missing',
      fields: ['organization_id'],
    });
  });

  test('needs a verified address, and room', async () => {
    const unverified = await build.user(database.sql, { email_verified: false });
    expect(await send('project', ferns, unverified)).toMatchObject({
      code: 'email_unverified',
      fields: [null],
    });
    expect(await send('collection', { name: 'Shelf' }, unverified)).toMatchObject({
      code: 'email_unverified',
    });
  });

  test.each([
    ['by script', 'application/json'],
    ['without scripts', 'application/x-www-form-urlencoded'],
  ])(
    'refused %s for want of a verified address has its next step, which leads back to what was typed',
    async (_how, type) => {
      const unverified = await build.user(database.sql, { email_verified: false });
      const who = { user_id: unverified.id, user_agent: null, now: new Date() };
      const { session } = await openSession(database.sql, who);
      const answer = await api.call('POST', '/_internal/create/project', {
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` },
        body: type.endsWith('json') ? JSON.stringify(ferns) : new URLSearchParams(ferns).toString(),
      });
      const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('form='))!;
      expect(cookie).toContain('Max-Age=3600');
      const request = new Request('http://x', { headers: { cookie: cookie.split(';')[0]! } });
      const kept = submittedForm(request, 'http://x')!;
      expect(kept.values).toMatchObject({ summary: ferns.summary });
      const errors = answer.status === 303 ? kept.errors : (await answer.json()).details.fields;
      const back = '/dashboard/projects/new?error=resumed';
      expect(errors).toEqual([
        {
          field: null,
          text: expect.stringContaining('Verify your email'),
          step: { text: 'Verify address', to: `/auth/verify-email?redirect=${encodeURIComponent(back)}` },
        },
      ]);
    },
  );
});

describe('a new collection', () => {
  test('has the chosen visibility, and its description is optional', async () => {
    const { to } = await send('collection', { name: 'Slow evenings', description: ' ', status: 'private' });
    expect(to).toMatch(/^\/collection\/\w+$/);
    const [row] =
      await database.sql`select name, description, status from collections where user_id = ${me.id}`;
    expect(row).toEqual({ name: 'Slow evenings', description: null, status: 'private' });
  });

  test.each<[Record<string, string>, string[]]>([
    [{ name: 'ab' }, ['name']],
    [{ name: 'Shelf', description: 'ab' }, ['description']],
    [{ name: 'Shelf', status: 'rejected' }, ['status']],
  ])('%j is refused beside its field', async (given, fields) => {
    expect(await send('collection', given)).toMatchObject({ code: 'invalid_input', fields });
  });

  test('is refused at the limit', async () => {
    for (let count = 0; count < 32; count++) await build.collection(database.sql, [], { owner: me });
    expect(await send('collection', { name: 'One more' })).toMatchObject({
      code: 'limit_reached',
      fields: [null],
    });
  });
});
