import { beforeAll, describe, expect, test } from 'vitest';
import { ownFields } from '#db/catalogue/projects/own-fields.ts';
import { refusedEdit } from '#db/catalogue/projects/refused-edits.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { generalForm } from '../../catalogue/project-settings/general-forms.server.ts';
import { baseOf } from '../../platform/forms/form-parts.ts';
import { testApi } from '../../testing/api.ts';

/** What the general settings of a project save, and what happens when two people save them at once. */
const database = testDatabase();
const api = testApi(database);

const cookies = new Map<string, string>();
async function cookieOf({ id }: { id: string }): Promise<string> {
  if (!cookies.has(id)) {
    const opened = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
    cookies.set(id, `auth-token=${opened.session}`);
  }
  return cookies.get(id)!;
}

let moderator: build.BuiltUser;
beforeAll(async () => {
  moderator = await build.user(database.sql, { role: 'moderator' });
});

const send = async (who: { id: string }, path: string, fields: Record<string, string>) =>
  await api.call('POST', `/_internal/project/${path}`, {
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: await cookieOf(who),
    },
    body: String(new URLSearchParams(fields)),
  });
const outcome = (answer: Response) => {
  const to = new URL(answer.headers.get('location') ?? '', 'http://x');
  return to.searchParams.get('error') ?? (to.searchParams.has('saved') ? 'saved' : to.pathname);
};
const stored = async (id: string) => (await ownFields(database.sql, id))!;

/** The fields of the general page, as it comes now. */
async function opened(id: string): Promise<Record<string, string>> {
  const own = await stored(id);
  return {
    ...generalForm.fieldsOf(own),
    project: id,
    revision: String(own.revision),
    base: baseOf(generalForm, own),
  };
}

describe('two people with the general page open', () => {
  test('who change different things both save', async () => {
    const made = await build.project(database.sql);
    const [first, second] = [await opened(made.id), await opened(made.id)];
    expect(outcome(await send(made.owner, 'general', { ...first, title: 'Deep caves' }))).toBe('saved');
    expect(outcome(await send(moderator, 'general', { ...second, summary: 'Caves that go deeper.' }))).toBe(
      'saved',
    );
    expect(await stored(made.id)).toMatchObject({
      title: 'Deep caves',
      description: 'Caves that go deeper.',
    });
  });

  test('who change the same: the second is refused, nothing typed is lost, and a choice saves', async () => {
    const made = await build.project(database.sql);
    const [first, second] = [await opened(made.id), await opened(made.id)];
    await send(made.owner, 'general', { ...first, title: 'Theirs' });
    const typed = { ...second, title: 'Mine', summary: 'A summary of mine.' };
    const refused = await send(moderator, 'general', typed);
    expect(outcome(refused)).toBe('revision_conflict');
    expect(await stored(made.id)).toMatchObject({
      title: 'Theirs',
      description: 'A project made for a test',
    });
    const of = { user_id: moderator.id, project_id: made.id, form: generalForm.action };
    expect(await refusedEdit(database.sql, of)).toMatchObject({
      fields: { title: 'Mine', summary: 'A summary of mine.' },
      touched: ['title', 'summary'],
    });
    // the page that follows comes with the newer revision
    const again = { ...(await opened(made.id)), title: 'Mine', summary: typed.summary, sent_back: '1' };
    expect(outcome(await send(moderator, 'general', { ...again, keep_title: 'theirs' }))).toBe('saved');
    expect(await stored(made.id)).toMatchObject({ title: 'Theirs', description: 'A summary of mine.' });
    expect(await refusedEdit(database.sql, of)).toBeNull();
    const mine = { ...(await opened(made.id)), title: 'Mine', keep_title: 'yours' };
    expect(outcome(await send(moderator, 'general', mine))).toBe('saved');
    expect((await stored(made.id)).title).toBe('Mine');
  });

  test('with scripts the second is led to the page that shows both', async () => {
    const made = await build.project(database.sql);
    const page = await opened(made.id);
    await send(made.owner, 'general', { ...page, title: 'Theirs' });
    const answer = await api.call('POST', generalForm.action, {
      headers: { 'sec-fetch-site': 'same-origin', cookie: await cookieOf(moderator) },
      json: { ...page, title: 'Mine' },
    });
    expect(answer.status).toBe(412);
    const { details } = (await answer.json()) as { details: Record<string, unknown> };
    expect(details).toMatchObject({
      code: 'revision_conflict',
      by: made.owner.username,
      at: expect.any(String),
      to: `/project/${made.id}/settings/general?error=revision_conflict`,
    });
  });

  test('a page that never opened saves over anything, as before', async () => {
    const made = await build.project(database.sql);
    const { revision: _, base: __, ...fields } = await opened(made.id);
    await send(made.owner, 'general', { ...fields, title: 'Theirs' });
    expect(outcome(await send(moderator, 'general', { ...fields, title: 'Mine' }))).toBe('saved');
    expect((await stored(made.id)).title).toBe('Mine');
  });
});

describe('a rule refuses the form and the API alike', () => {
  test.each([
    ['slug', 'a b', 'slug_invalid', { slug: 'a b' }],
    ['title', 'ab', 'invalid_input', { title: 'ab' }],
    ['summary', 'ab', 'invalid_input', { description: 'ab' }],
    ['visibility', 'rejected', 'move_refused', { status: 'rejected' }],
  ])('%s: %s', async (field, value, code, json) => {
    const made = await build.project(database.sql);
    expect(outcome(await send(made.owner, 'general', { ...(await opened(made.id)), [field]: value }))).toBe(
      code,
    );
    const token = await build.token(database.sql, made.owner);
    const answer = await api.call('PATCH', `/v2/project/${made.id}`, { token, json });
    expect(await answer.json()).toMatchObject({ details: { code } });
  });

  test('an address of another project', async () => {
    const other = await build.project(database.sql);
    const made = await build.project(database.sql);
    const fields = { ...(await opened(made.id)), slug: other.slug };
    expect(outcome(await send(made.owner, 'general', fields))).toBe('project_slug_taken');
  });

  test('the visibility after the review', async () => {
    const made = await build.project(database.sql, { status: 'draft' });
    const change = async (visibility: string) =>
      outcome(await send(made.owner, 'general', { ...(await opened(made.id)), visibility }));
    expect(await change('unlisted')).toBe('saved');
    expect(await stored(made.id)).toMatchObject({ status: 'draft', requested_status: 'unlisted' });
    expect(await change('rejected')).toBe('requested_status_invalid');
  });
});

describe('others', () => {
  test('without rights find no project, and members without a permission change nothing', async () => {
    const made = await build.project(database.sql, { status: 'draft' });
    const outsider = await build.user(database.sql);
    const fields = { ...(await opened(made.id)), title: 'Taken over' };
    expect(outcome(await send(outsider, 'general', fields))).toBe('not_found');
    const reader = await build.user(database.sql);
    await build.member(database.sql, made.team, reader, { permissions: 1 });
    expect(outcome(await send(reader, 'general', fields))).toBe('permission_missing');
    expect(outcome(await send(reader, 'archive', { project: made.id, archived: 'yes' }))).toBe(
      'permission_missing',
    );
    const named = { project: made.id, confirm_name: (await stored(made.id)).title };
    expect(outcome(await send(reader, 'delete', named))).toBe('permission_missing');
    expect(outcome(await send(outsider, 'delete', named))).toBe('not_found');
    expect((await stored(made.id)).archived).toBe(false);
  });
});

test('a project is archived with a note, and that is ended', async () => {
  const made = await build.project(database.sql);
  await send(made.owner, 'archive', { project: made.id, archived: 'yes', note: 'Use caves 2' });
  expect((await stored(made.id)).archived).toBe(true);
  await send(made.owner, 'archive', { project: made.id, archived: 'no' });
  expect((await stored(made.id)).archived).toBe(false);
});

test('a message of moderators is removed once the project is approved', async () => {
  const made = await build.project(database.sql);
  await database.sql`update projects set moderation_message = 'Mend it' where id = ${made.id}`;
  expect(outcome(await send(made.owner, 'message', { project: made.id }))).toBe('saved');
  expect((await stored(made.id)).moderation_message).toBeNull();
});

test('a project is deleted by somebody who types its name', async () => {
  const made = await build.project(database.sql, { title: 'Quiet caves' });
  const remove = (confirm_name: string) => send(made.owner, 'delete', { project: made.id, confirm_name });
  expect(outcome(await remove('quiet caves'))).toBe('project_name_differs');
  expect(outcome(await remove(' Quiet caves '))).toBe('/dashboard');
  expect(await ownFields(database.sql, made.id)).toBeNull();
});

describe('PATCH with If-Match', () => {
  test('saves over the revision that was read only, in both versions', async () => {
    const made = await build.project(database.sql);
    const token = await build.token(database.sql, made.owner);
    for (const version of ['v2', 'v3']) {
      const path = `/${version}/project/${made.id}`;
      const etag = (await api.call('GET', path, { token })).headers.get('etag')!;
      const patch = (json: object, match: string) =>
        api.call('PATCH', path, { token, json, headers: { 'if-match': match } });
      const wiki = { license_id: version === 'v2' ? 'ISC' : 'Apache-2.0' };
      const saved = await patch(wiki, etag);
      expect([saved.status, saved.headers.get('etag')]).not.toContain(etag);
      expect(saved.status).toBe(204);
      const refused = await patch({ license_id: 'Zlib' }, etag);
      expect(refused.status).toBe(412);
      expect(await refused.json()).toMatchObject({
        error: 'precondition_failed',
        details: { code: 'revision_conflict', by: made.owner.username, at: expect.any(String) },
      });
      expect((await patch({ license_id: 'Zlib' }, '*')).status).toBe(204);
      expect((await patch({}, 'yesterday')).status).toBe(400);
    }
  });

  test('counters do not change the revision, what others do for the members does', async () => {
    const made = await build.project(database.sql);
    const { revision } = await stored(made.id);
    await database.sql`update projects set downloads = downloads + 1, followers = 3 where id = ${made.id}`;
    expect((await stored(made.id)).revision).toBe(revision);
    await database.sql`update projects set status = 'withheld' where id = ${made.id}`;
    expect(await stored(made.id)).toMatchObject({
      revision: revision + 1,
      field_revisions: { status: revision + 1 },
    });
  });
});

test('a release is scheduled, in time to come only, as the API refuses it', async () => {
  const made = await build.project(database.sql);
  const schedule = (time: string, requested_status = 'unlisted') =>
    send(made.owner, 'schedule', { project: made.id, time, requested_status });
  expect(outcome(await schedule('2020-01-01T10:00'))).toBe('schedule_past');
  expect(outcome(await schedule('someday'))).toBe('invalid_input');
  expect(outcome(await schedule('2199-01-01T10:00', 'rejected'))).toBe('requested_status_invalid');
  expect(outcome(await schedule('2199-01-01T10:00'))).toBe('saved');
  expect(await stored(made.id)).toMatchObject({
    status: 'scheduled',
    requested_status: 'unlisted',
    scheduled_for: '2199-01-01T10:00:00Z',
  });
});

describe('whether a project earns', () => {
  test('members choose, and only moderators exclude a project and take it back', async () => {
    const made = await build.project(database.sql);
    const choose = async (who: { id: string }, monetization: string) =>
      outcome(await send(who, 'general', { ...(await opened(made.id)), monetization }));
    const status = async () => (await stored(made.id)).monetization_status;
    expect(await choose(made.owner, 'demonetized')).toBe('saved');
    expect(await status()).toBe('demonetized');
    expect(await choose(made.owner, 'force-demonetized')).toBe('moderators_only');
    expect(await choose(moderator, 'force-demonetized')).toBe('saved');
    expect(await choose(made.owner, 'monetized')).toBe('moderators_only');
    expect(await status()).toBe('force-demonetized');
    // the page of members has no such field then, and what else it has can be saved
    const { monetization: _, ...rest } = await opened(made.id);
    expect(outcome(await send(made.owner, 'general', { ...rest, title: 'Renamed meanwhile' }))).toBe('saved');
    expect(await status()).toBe('force-demonetized');
    expect(await choose(moderator, 'monetized')).toBe('saved');
    expect(await status()).toBe('monetized');
  });
});
