import { describe, expect, test } from 'vitest';
import { ownFields } from '#db/catalogue/projects/own-fields.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { analyticsForm } from '../../catalogue/project-settings/analytics-form.server.ts';
import { disclosuresForm } from '../../catalogue/project-settings/disclosures-form.server.ts';
import { environmentForm } from '../../catalogue/project-settings/environment-form.server.ts';
import { licenseForm } from '../../catalogue/project-settings/license-form.server.ts';
import { linksForm } from '../../catalogue/project-settings/links-form.server.ts';
import { tagsForm } from '../../catalogue/project-settings/tags-form.server.ts';
import { type SubmittedForm, submittedForm } from '../../platform/forms/form-cookie.ts';
import { baseOf } from '../../platform/forms/form-parts.ts';
import type { ProjectForm } from '../../platform/forms/project-form.ts';
import { testApi } from '../../testing/api.ts';

/** What the forms for license, links, tags and environment of a project save, and what they refuse like the API. */
const database = testDatabase();
const api = testApi(database);

const stored = async (id: string) => (await ownFields(database.sql, id))!;

/** Sends a form as its page came, with `fields` filled in. */
async function answered(
  who: { id: string },
  form: Pick<ProjectForm, 'action'>,
  fields: Record<string, string | undefined>,
): Promise<Response> {
  const opened = await openSession(database.sql, { user_id: who.id, user_agent: null, now: new Date() });
  const given = Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined);
  return await api.call('POST', form.action, {
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `auth-token=${opened.session}`,
    },
    body: String(new URLSearchParams(given)),
  });
}

/** The refusal code of a form that was sent, or `saved`. */
function outcomeOf(answer: Response): string {
  const to = new URL(answer.headers.get('location') ?? '', 'http://x');
  return to.searchParams.get('error') ?? (to.searchParams.has('saved') ? 'saved' : to.pathname);
}

/** The form that an answer leaves in its cookie: what was refused, or what is offered to undo; null without one. */
function leftIn(answer: Response): SubmittedForm | null {
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const site = 'http://localhost';
  return submittedForm(new Request(site, { headers: { cookie } }), site);
}

const send = async (...sent: Parameters<typeof answered>): Promise<string> =>
  outcomeOf(await answered(...sent));

async function opened(form: ProjectForm, id: string): Promise<Record<string, string>> {
  const own = await stored(id);
  return {
    ...form.fieldsOf(own),
    project: id,
    revision: String(own.revision),
    base: baseOf(form, own),
  };
}
const saving =
  (form: ProjectForm) => async (made: build.BuiltProject, fields: Record<string, string | undefined>) =>
    await send(made.owner, form, { ...(await opened(form, made.id)), ...fields });

/** What the public API says to the same change. */
async function patched(made: build.BuiltProject, json: object, api_version = 2): Promise<string> {
  const token = await build.token(database.sql, made.owner);
  const answer = await api.call('PATCH', `/v${api_version}/project/${made.id}`, { token, json });
  if (answer.status === 204) return 'saved';
  return ((await answer.json()) as { details: { code: string } }).details.code;
}

describe('disclosures', () => {
  const save = saving(disclosuresForm);
  const told = async (id: string) =>
    (await (await api.call('GET', `/v3/project/${id}/disclosures`)).json()) as Array<Record<string, unknown>>;
  const telemetry = {
    on_telemetry: 'on',
    telemetry_consent: 'opt_out',
    telemetry_data_collected: ' The version\r\n\r\nThe language ',
  };

  test('are what the API says, and only what was changed is written', async () => {
    const made = await build.project(database.sql);
    expect(await save(made, telemetry)).toBe('saved');
    const [first] = await told(made.id);
    expect(first).toMatchObject({
      ...{ type: 'telemetry', consent: 'opt_out' },
      data_collected: ['The version', 'The language'],
    });
    const sources = 'https://example.test/a The original | by Fen\nhttps://example.test/b';
    expect(await save(made, { on_derivative_work: 'on', derivative_work_sources: sources })).toBe('saved');
    expect(await told(made.id)).toMatchObject([
      {
        type: 'derivative_work',
        sources: [
          { link: 'https://example.test/a', label: 'The original', note: 'by Fen' },
          { link: 'https://example.test/b', label: 'https://example.test/b', note: null },
        ],
      },
      { type: 'telemetry', updated_at: first!.updated_at },
    ]);
    expect(await save(made, { on_telemetry: undefined })).toBe('saved');
    expect(await told(made.id)).toMatchObject([{ type: 'derivative_work' }]);
  });

  test('are refused as the API refuses them', async () => {
    const made = await build.project(database.sql);
    const source = { on_derivative_work: 'on', derivative_work_sources: 'http://example.test plain' };
    expect(await save(made, source)).toBe('invalid_input');
    const many = { on_paid_features: 'on', paid_features_features: 'Stone\n'.repeat(65) };
    expect(await save(made, many)).toBe('invalid_input');
    await save(made, telemetry);
    await database.sql`update disclosures set lock_status = 'cannot_disable' where project_id = ${made.id}`;
    expect(await save(made, { on_telemetry: undefined })).toBe('disclosure_locked');
    expect(await save(made, { telemetry_consent: 'opt_in' })).toBe('saved');
  });

  test('of two people who change the same one, the second sees both', async () => {
    const made = await build.project(database.sql);
    const page = await opened(disclosuresForm, made.id);
    expect(await save(made, telemetry)).toBe('saved');
    const second = { ...page, ...telemetry, telemetry_consent: 'always_active' };
    expect(await send(made.owner, disclosuresForm, second)).toBe('revision_conflict');
    expect(await told(made.id)).toMatchObject([{ consent: 'opt_out' }]);
    expect(await send(made.owner, disclosuresForm, { ...page, on_advertisements: 'on' })).toBe('saved');
    expect((await told(made.id)).map(({ type }) => type)).toEqual(['advertisements', 'telemetry']);
  });
});

describe('the license', () => {
  const save = saving(licenseForm);
  test('of the list, with later versions, of its own, and with an address', async () => {
    const made = await build.project(database.sql);
    expect(await save(made, { license: 'GPL-3.0-only', or_later: 'on' })).toBe('saved');
    expect((await stored(made.id)).license_id).toBe('GPL-3.0-or-later');
    expect((await opened(licenseForm, made.id)).or_later).toBe('on');
    const own = { license: 'custom', or_later: undefined, custom_license: 'Cave license' };
    expect(await save(made, { ...own, license_url: 'https://example.test/license' })).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      license_id: 'LicenseRef-Cave-license',
      license_url: 'https://example.test/license',
    });
    expect(await save(made, { license_url: '' })).toBe('saved');
    expect((await stored(made.id)).license_url).toBeNull();
  });

  test('must be chosen: nothing is stored without, and going back to none is not offered', async () => {
    const made = await build.project(database.sql);
    expect(await patched(made, { license_id: 'LicenseRef-Unknown' })).toBe('saved');
    const page = { ...(await opened(licenseForm, made.id)), license_url: 'https://example.test/license' };
    const sent = async (fields: Record<string, string>) => await answered(made.owner, licenseForm, fields);
    const refused = await sent(page);
    expect(outcomeOf(refused)).toBe('checklist_license');
    expect(leftIn(refused)).toMatchObject({
      errors: [{ field: 'license', text: 'Choose a license first.' }],
    });
    expect(await stored(made.id)).toMatchObject({ license_id: 'LicenseRef-Unknown', license_url: null });
    const first = await sent({ ...page, license: 'MIT' });
    expect(outcomeOf(first)).toBe('saved');
    expect(leftIn(first)).toBeNull();
    const next = await sent({ ...(await opened(licenseForm, made.id)), license: 'ISC' });
    expect(leftIn(next)).toMatchObject({ values: { license: 'MIT' } });
  });

  test('is refused as the API refuses it', async () => {
    const made = await build.project(database.sql);
    expect(await save(made, { license: 'custom', custom_license: '!' })).toBe('license_unknown');
    expect(await patched(made, { license_id: '!' })).toBe('license_unknown');
    expect(await save(made, { license_url: 'nowhere' })).toBe('invalid_input');
    expect(await patched(made, { license_url: 'nowhere' })).toBe('invalid_input');
  });
});

describe('links', () => {
  const save = saving(linksForm);
  test('are set, cleared, and the service of a donation is guessed', async () => {
    const made = await build.project(database.sql);
    const fields = {
      issues_url: 'https://github.com/fen/caves/issues',
      site_url: 'https://caves.example',
      donation_1: 'https://ko-fi.com/fen',
      donation_2: 'https://example.test/give',
      donation_platform_2: 'paypal',
    };
    expect(await save(made, fields)).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      issues_url: fields.issues_url,
      site_url: fields.site_url,
      donation_urls: [
        { id: 'ko-fi', url: fields.donation_1 },
        { id: 'paypal', url: fields.donation_2 },
      ],
    });
    expect(await save(made, { issues_url: '', donation_1: '', donation_platform_1: '' })).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      issues_url: null,
      site_url: fields.site_url,
      donation_urls: [{ id: 'paypal', url: fields.donation_2 }],
    });
  });

  test('are refused as the API refuses them, and two of one service do not swallow each other', async () => {
    const made = await build.project(database.sql);
    expect(await save(made, { wiki_url: 'javascript:alert(1)' })).toBe('invalid_input');
    expect(await patched(made, { wiki_url: 'javascript:alert(1)' })).toBe('invalid_input');
    const twice = { donation_1: 'https://ko-fi.com/a', donation_2: 'https://ko-fi.com/b' };
    expect(await save(made, twice)).toBe('donation_platform_twice');
    expect((await stored(made.id)).donation_urls).toEqual([]);
  });
});

describe('tags', () => {
  const save = saving(tagsForm);
  test('are chosen, up to three of them featured', async () => {
    const made = await build.project(database.sql, { categories: [] });
    expect(await save(made, { tag_utility: 'on', featured_storage: 'on' })).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      categories: ['storage'],
      additional_categories: ['utility'],
    });
    expect(await save(made, { featured_storage: undefined })).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      categories: [],
      additional_categories: ['storage', 'utility'],
    });
    const four = ['adventure', 'magic', 'mobs', 'storage'];
    const fields = Object.fromEntries(four.map((name) => [`featured_${name}`, 'on']));
    expect(await save(made, fields)).toBe('invalid_input');
    expect(await patched(made, { categories: four })).toBe('invalid_input');
  });
});

describe('the downloads of the last days', () => {
  test('are shown when somebody who may see them wants it, and not when nobody said so', async () => {
    const made = await build.project(database.sql);
    const [editor, reader, both] = [
      await build.user(database.sql),
      await build.user(database.sql),
      await build.user(database.sql),
    ];
    await build.member(database.sql, made.team, editor, { permissions: 4 });
    await build.member(database.sql, made.team, reader, { permissions: 256 });
    await build.member(database.sql, made.team, both, { permissions: 260 });
    expect((await stored(made.id)).shows_downloads).toBe(false);
    const page = await opened(analyticsForm, made.id);
    const wanted = { ...page, shows_downloads: 'on' };
    expect(await send(editor, analyticsForm, wanted)).toBe('permission_missing');
    expect(await send(reader, analyticsForm, wanted)).toBe('permission_missing');
    expect((await stored(made.id)).shows_downloads).toBe(false);
    expect(await send(both, analyticsForm, wanted)).toBe('saved');
    const after = await stored(made.id);
    expect(after).toMatchObject({ shows_downloads: true, revision: Number(page.revision) + 1 });
    expect(after.field_revisions).toHaveProperty('shows_downloads', after.revision);
    // a page that came before says nothing new: unchecked then, unchecked now
    expect(await send(made.owner, analyticsForm, page)).toBe('saved');
    expect((await stored(made.id)).shows_downloads).toBe(true);
    const { shows_downloads: _, ...unchecked } = await opened(analyticsForm, made.id);
    expect(await send(made.owner, analyticsForm, unchecked)).toBe('saved');
    expect((await stored(made.id)).shows_downloads).toBe(false);
  });
});

describe('the environment', () => {
  const save = saving(environmentForm);
  const mod = async (environments: string[]) => {
    const made = await build.project(database.sql);
    for (const environment of environments)
      await build.version(database.sql, made, { loaders: ['fabric'], environment });
    return made;
  };

  test('is set for every version and confirmed, and a change elsewhere takes that back', async () => {
    const made = await mod(['unknown']);
    expect(await save(made, { environment: 'client_only' })).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      environments: ['client_only'],
      environment_verified: expect.any(String),
      environment_verified_by: made.owner.username,
    });
    expect(await patched(made, { environment: 'server_only' }, 3)).toBe('saved');
    expect(await stored(made.id)).toMatchObject({
      environments: ['server_only'],
      environment_verified: null,
    });
    const verify = { action: `${environmentForm.action}/verify` };
    expect(await send(made.owner, verify, { project: made.id })).toBe('saved');
    expect((await stored(made.id)).environment_verified).toEqual(expect.any(String));
  });

  test('is not set for other types, without versions, or over several', async () => {
    const none = await mod([]);
    expect(await save(none, { environment: 'client_only' })).toBe('environment_versions');
    const several = await mod(['client_only', 'server_only']);
    expect(await save(several, { environment: 'client_only' })).toBe('environment_several');
    const pack = await build.project(database.sql);
    await build.version(database.sql, pack, { loaders: ['minecraft'] });
    expect(await save(pack, { environment: 'client_only' })).toBe('environment_type');
    const unknown = await mod(['unknown']);
    const verify = { action: `${environmentForm.action}/verify` };
    expect(await send(unknown.owner, verify, { project: unknown.id })).toBe('environment_unknown');
    expect(await save(unknown, { environment: 'nowhere' })).toBe('invalid_input');
  });

  test('is not known any more when a member says so, and then not confirmed either', async () => {
    const made = await mod(['client_only', 'client_only']);
    expect(await save(made, { environment: 'client_only' })).toBe('saved');
    expect(await save(made, { environment: 'unknown' })).toBe('saved');
    expect(await stored(made.id)).toMatchObject({ environments: ['unknown'], environment_verified: null });
  });
});

test.each([
  ['analytics', analyticsForm, { shows_downloads: 'on' }],
  ['license', licenseForm, { license: 'ISC' }],
  ['links', linksForm, { wiki_url: 'https://example.test/wiki' }],
  ['tags', tagsForm, { tag_utility: 'on' }],
  ['environment', environmentForm, { environment: 'client_only' }],
] as const)(
  '%s: members without the permission and outsiders change nothing',
  async (_name, form, fields) => {
    const made = await build.project(database.sql, { status: 'private' });
    await build.version(database.sql, made, { loaders: ['fabric'], environment: 'server_only' });
    const [reader, outsider] = [await build.user(database.sql), await build.user(database.sql)];
    await build.member(database.sql, made.team, reader, { permissions: 256 });
    const before = await stored(made.id);
    const given = { ...(await opened(form as ProjectForm, made.id)), ...fields };
    expect(await send(reader, form, given)).toBe('permission_missing');
    expect(await send(outsider, form, given)).toBe('not_found');
    expect(await stored(made.id)).toEqual(before);
  },
);

test('two people who set the license: the second keeps what was typed', async () => {
  const made = await build.project(database.sql);
  const second = await build.user(database.sql, { role: 'admin' });
  const page = await opened(licenseForm, made.id);
  expect(await send(made.owner, licenseForm, { ...page, license: 'ISC' })).toBe('saved');
  expect(await send(second, licenseForm, { ...page, license: 'Zlib' })).toBe('revision_conflict');
  expect((await stored(made.id)).license_id).toBe('ISC');
});
