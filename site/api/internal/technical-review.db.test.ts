import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { rules_version } from '#db/moderation/scanner/rules.ts';
import { storeScan } from '#db/moderation/technical-review/store.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { announcing, scanned, trace } from '#db/testing/scan-results.ts';
import { testApi } from '../../testing/api.ts';

/** Who may call what of technical review, and what the answers look like. */
const database = testDatabase();
const api = testApi(database);
const callers = ['visitor', 'user', 'moderator'] as const;
type Caller = (typeof callers)[number];
let key: string;
let people: Record<Exclude<Caller, 'visitor'>, build.BuiltUser>;
let project: build.BuiltProject;
let file_id: string;
let [pack_sha1, judged_sha1, external_id, version_id] = ['', '', '', ''];
let ids: { report: string; issue: string; detail: string };

beforeEach(async () => {
  const { sql } = database;
  key = randomBytes(32).toString('hex');
  people = { user: await build.user(sql), moderator: await build.user(sql, { role: 'moderator' }) };
  project = await build.project(sql, { owner: people.user, status: 'approved' });
  const version = await build.version(sql, project);
  file_id = version.files[0]!.id;
  version_id = version.id;
  const now = new Date();
  await sql`insert into file_scans (file_id, requested, due) values (${file_id}, ${now}, ${now})`;
  const about = { file_id, version_id: version.id, project_id: project.id };
  const found = scanned([trace({ key, severity: 'medium', issue_type: 'process_start' })]);
  await sql.begin((tx) => storeScan(tx, about, found, { announcing, now }));
  const [row] = await sql<Array<typeof ids>>`
    select r.id as report, i.id as issue, t.id as detail from scan_reports r join scan_issues i on i.report_id = r.id
      join scan_traces t on t.issue_id = i.id where r.file_id = ${file_id}`;
  ids = row!;
  [pack_sha1, judged_sha1] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')];
  external_id = randomBytes(4).toString('hex');
  await sql`insert into pack_files (file_id, sha1, path) values (${file_id}, ${pack_sha1}, 'overrides/mods/a.jar')`;
  await sql`
    insert into external_projects (id, title, status, inserted_at, updated_at)
    values (${external_id}, 'Work', 'yes', ${now}, ${now})`;
  await sql`insert into external_files values (${judged_sha1}, ${external_id}, 'b.jar')`;
});

async function call(caller: Caller, method: string, path: string, json?: unknown) {
  const headers: Record<string, string> =
    caller === 'visitor' ? {} : { authorization: await build.token(database.sql, people[caller]) };
  const answer = await api.call(method as 'GET', `/_internal${path}`, {
    headers,
    ...(json === undefined ? {} : { json }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers };
}

const review = '/moderation/tech-review';
const routes: Array<[string, string, () => string, () => unknown, number]> = [
  ['search', 'POST', () => `${review}/search`, () => ({}), 200],
  ['project', 'GET', () => `${review}/project/${project.id}`, () => undefined, 200],
  ['report', 'GET', () => `${review}/report/${ids.report}`, () => undefined, 200],
  ['issue', 'GET', () => `${review}/issue/${ids.issue}`, () => undefined, 200],
  [
    'issue-detail',
    'PATCH',
    () => `${review}/issue-detail`,
    () => [{ detail_id: ids.detail, verdict: 'safe' }],
    204,
  ],
  [
    'global-issue-detail',
    'POST',
    () => `${review}/global-issue-detail`,
    () => [{ detail_key: key, verdict: 'safe' }],
    204,
  ],
  [
    'global search',
    'POST',
    () => `${review}/global-issue-detail/search`,
    () => ({ limit: 5, page: 0, query: '' }),
    200,
  ],
  [
    'local traces',
    'POST',
    () => `${review}/global-issue-detail/local-traces`,
    () => ({ detail_key: key }),
    200,
  ],
  ['report by hand', 'PUT', () => `${review}/report`, () => ({ file_id, reason: 'Seen elsewhere' }), 200],
  ['pack', 'GET', () => `/moderation/project/${project.id}`, () => undefined, 200],
  [
    'judge files',
    'POST',
    () => '/moderation/project',
    () => ({ [pack_sha1]: { type: 'unknown', status: 'yes', title: 'Known' } }),
    204,
  ],
  ['license search', 'POST', () => '/moderation/external-license/search', () => ({ title: 'x' }), 200],
  [
    'license lookup',
    'POST',
    () => '/moderation/external-license/lookup',
    () => ({ hashes: [pack_sha1] }),
    200,
  ],
  [
    'license by hash',
    'GET',
    () => `/moderation/external-license/by-sha1/${judged_sha1}`,
    () => undefined,
    200,
  ],
  [
    'license by hashes',
    'POST',
    () => '/moderation/external-license/by-sha1',
    () => ({ hashes: [judged_sha1] }),
    200,
  ],
  [
    'license file',
    'POST',
    () => '/moderation/external-license/file',
    () => ({ hashes: [pack_sha1], license_id: external_id }),
    204,
  ],
  [
    'license reassign',
    'POST',
    () => '/moderation/external-license/file/reassign',
    () => ({ hashes: [pack_sha1], license_id: external_id }),
    204,
  ],
  [
    'license edit',
    'PATCH',
    () => `/moderation/external-license/${external_id}`,
    () => ({ status: 'no' }),
    204,
  ],
  ['run', 'POST', () => `/delphi/run?file_id=${file_id}`, () => undefined, 204],
  ['version', 'GET', () => '/delphi/version', () => undefined, 200],
  ['schema', 'GET', () => '/delphi/issue_type/schema', () => undefined, 200],
];

describe('table of callers', () => {
  test.each(routes)('%s', async (_, method, path, json, ok) => {
    expect((await call('visitor', method, path(), json())).status).toBe(401);
    expect((await call('user', method, path(), json())).status).toBe(401);
    expect((await call('moderator', method, path(), json())).status).toBe(ok);
  });

  test('submit', async () => {
    const path = `${review}/submit/${project.slug}`;
    for (const caller of ['visitor', 'user'] as const)
      expect((await call(caller, 'POST', path, { verdict: 'safe' })).status).toBe(401);
    const early = await call('moderator', 'POST', path, { verdict: 'safe' });
    expect([early.status, early.body.details.code]).toEqual([400, 'traces_undecided']);
    await call('moderator', 'PATCH', `${review}/issue-detail`, [{ detail_id: ids.detail, verdict: 'safe' }]);
    expect((await call('moderator', 'POST', path, { verdict: 'safe', message: null })).status).toBe(204);
  });

  test('ingest needs the key of the installation', async () => {
    const body = { file_id, issues: {} };
    for (const caller of callers)
      expect((await call(caller, 'POST', '/delphi/ingest', body)).status).toBe(404);
  });

  test('a token without the scope', async () => {
    const token = await build.token(database.sql, people.moderator, ['PROJECT_READ']);
    const answer = await api.call('PATCH', `/_internal${review}/issue-detail`, {
      headers: { authorization: token },
      json: [{ detail_id: ids.detail, verdict: 'safe' }],
    });
    expect(answer.status).toBe(401);
  });
});

test('a search has projects, threads, owners, and every trace with its verdicts', async () => {
  const { body } = await call('moderator', 'POST', `${review}/search`, {
    filter: { issue_type: ['process_start'] },
  });
  const own = body.project_reports.find((one: { project_id: string }) => one.project_id === project.id);
  expect(own).toMatchObject({
    max_severity: 'medium',
    versions: [
      {
        files: [
          {
            ...{ report_id: ids.report, file_id, flag_reason: 'delphi', severity: 'medium' },
            download_url: expect.stringContaining(`/data/${project.id}/versions/`),
            issues: [
              {
                ...{ id: ids.issue, report_id: ids.report, issue_type: 'process_start' },
                details: [
                  {
                    id: ids.detail,
                    key,
                    jar: null,
                    status: 'pending',
                    local_status: null,
                    global_status: null,
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(body.projects[project.id].slug).toBe(project.slug);
  expect(body.ownership[project.id]).toMatchObject({ kind: 'user', id: people.user.id });
  expect(Object.keys(body.threads)).toContain(body.projects[project.id].thread_id);
});

test('what does not exist is not found, what is wrong is said', async () => {
  for (const path of ['project/nothing', 'report/AAAAAAAA', 'issue/AAAAAAAA'])
    expect((await call('moderator', 'GET', `${review}/${path}`)).status).toBe(404);
  expect((await call('moderator', 'POST', '/delphi/run?file_id=AAAAAAAA')).status).toBe(404);
  for (const body of [[], [{ detail_id: ids.detail, verdict: 'perhaps' }], {}])
    expect((await call('moderator', 'PATCH', `${review}/issue-detail`, body)).status).toBe(400);
  expect(
    (await call('moderator', 'PATCH', `${review}/issue-detail`, [{ detail_id: 'AAAAAAAA', verdict: 'safe' }]))
      .status,
  ).toBe(404);
  expect((await call('moderator', 'POST', `${review}/search`, { sort_by: 'loudness' })).status).toBe(400);
});

describe('attribution', () => {
  const group_id = 'AttrGrp1';
  beforeEach(async () => {
    const { sql } = database;
    await sql`delete from attribution_groups`;
    await sql`insert into attribution_groups (id, project_id, created) values (${group_id}, ${project.id}, now())`;
    await sql`insert into attribution_files values (${project.id}, ${pack_sha1}, 'a.jar', ${group_id})`;
  });
  const attribution = { kind: 'license', license: 'MIT', link_to_work: 'https://work.test/' };
  // the user is the owner of the project
  const table: Array<[string, string, () => string, () => unknown, number, number]> = [
    ['groups', 'GET', () => `/attribution/${project.slug}`, () => undefined, 200, 200],
    ['answer', 'PATCH', () => `/attribution/group/${group_id}`, () => ({ attribution }), 204, 204],
    ['scan', 'POST', () => '/attribution/scan', () => ({ version_ids: [version_id] }), 200, 200],
    ['scan a file', 'POST', () => `/attribution/file/${file_id}/scan`, () => undefined, 401, 200],
    [
      'assign',
      'POST',
      () => '/attribution/assign',
      () => ({ sha1: pack_sha1, target_group_id: group_id, project_id: project.id }),
      204,
      204,
    ],
    [
      'split',
      'POST',
      () => '/attribution/split',
      () => ({ sha1: pack_sha1, project_id: project.id }),
      204,
      204,
    ],
    ['delete', 'DELETE', () => '/attribution/group', () => ({ groups: [group_id] }), 401, 204],
    ['delete all', 'DELETE', () => '/attribution/all-groups', () => ({ project_id: project.id }), 401, 204],
  ];
  test.each(table)('%s', async (_, method, path, json, owner, staff) => {
    expect((await call('visitor', method, path(), json())).status).toBe(401);
    expect((await call('user', method, path(), json())).status).toBe(owner);
    const outsider = await build.token(database.sql, await build.user(database.sql));
    const answer = await api.call(method as 'GET', `/_internal${path()}`, {
      headers: { authorization: outsider },
      ...(json() === undefined ? {} : { json: json() as object }),
    });
    expect([401, 404]).toContain(answer.status);
    if (path().endsWith(group_id) || !['assign', 'split'].includes(_)) {
      const { status } = await call('moderator', method, path(), json());
      expect(status).toBe(staff);
    }
  });

  test('what is wrong is said', async () => {
    for (const given of [
      { kind: 'license' },
      { kind: 'magic' },
      { ...attribution, link_to_work: 'javascript:alert(1)' },
    ])
      expect(
        (await call('user', 'PATCH', `/attribution/group/${group_id}`, { attribution: given })).status,
      ).toBe(400);
    expect((await call('user', 'POST', '/attribution/scan', { version_ids: ['AAAAAAAA'] })).status).toBe(404);
    expect((await call('moderator', 'GET', '/attribution/nothing')).status).toBe(404);
  });

  test('a form answers and leads back to the group, beside the field when something is missing', async () => {
    const person = { user_id: people.user.id, user_agent: null, now: new Date() };
    const cookie = `auth-token=${(await openSession(database.sql, person)).session}`;
    const send = async (json: object) => {
      const headers = { 'sec-fetch-site': 'same-origin', cookie };
      const answer = await api.call('POST', '/_internal/attribution-answer', { headers, json });
      return [answer.status, await answer.json()];
    };
    const fields = { project: project.id, group: group_id, kind: 'license', license: 'MIT', link: '' };
    expect(await send(fields)).toMatchObject([400, { details: { fields: [{ field: 'link' }] } }]);
    expect(await send({ ...fields, license: '', link: 'https://work.test/' })).toMatchObject([
      400,
      { details: { fields: [{ field: 'license' }] } },
    ]);
    expect(await send({ ...fields, link: 'https://work.test/' })).toMatchObject([
      200,
      { to: `/project/${project.id}/settings/attribution?done=${group_id}` },
    ]);
  });
});

test('files of a pack are known by what was decided, unknown otherwise', async () => {
  await database.sql`insert into pack_files (file_id, sha1, path) values (${file_id}, ${judged_sha1}, 'mods/b.jar')`;
  expect((await call('moderator', 'GET', `/moderation/project/${project.slug}`)).body).toEqual({
    identified: { [judged_sha1]: { file_name: 'b.jar', status: 'yes' } },
    flame_files: {},
    unknown_files: { [pack_sha1]: 'a.jar' },
  });
  const flame = {
    type: 'flame',
    id: 4712,
    status: 'unidentified',
    title: 'Elsewhere',
    link: 'https://work.test/',
  };
  expect((await call('moderator', 'POST', '/moderation/project', { [pack_sha1]: flame })).status).toBe(204);
  expect((await call('moderator', 'GET', `/moderation/project/${project.slug}`)).body).toMatchObject({
    flame_files: {
      [pack_sha1]: { title: 'Elsewhere', file_name: 'a.jar', url: 'https://work.test/', id: 4712 },
    },
    unknown_files: {},
  });
  const works = await call('moderator', 'POST', '/moderation/external-license/by-sha1', {
    hashes: [judged_sha1],
  });
  expect(works.body[judged_sha1]).toMatchObject({
    id: external_id,
    linked_files: [{ name: 'b.jar', sha1: judged_sha1 }],
  });
  for (const body of [
    { x: { type: 'unknown', status: 'yes' } },
    { [pack_sha1]: { type: 'unknown', status: 'perhaps' } },
  ])
    expect((await call('moderator', 'POST', '/moderation/project', body)).status).toBe(400);
});

test('the rules have a version and a schema that may be kept for a minute', async () => {
  expect((await call('moderator', 'GET', '/delphi/version')).body).toBe(rules_version);
  const { body, headers } = await call('moderator', 'GET', '/delphi/issue_type/schema');
  expect(body.remote_code).toEqual({ severities: ['severe'] });
  expect(headers.get('cache-control')).toBe('private, max-age=60');
});

describe('forms', () => {
  const send = async (caller: Exclude<Caller, 'visitor'> | null, path: string, json: object) => {
    const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
    if (caller) {
      const person = { user_id: people[caller].id, user_agent: null, now: new Date() };
      headers.cookie = `auth-token=${(await openSession(database.sql, person)).session}`;
    }
    const answer = await api.call('POST', `/_internal/technical-review/${path}`, { headers, json });
    return [answer.status, ((await answer.json()) as { to?: string }).to ?? null];
  };
  const forms: Array<[string, () => object]> = [
    ['decide', () => ({ project: project.id, trace: ids.detail, key, decision: 'here:safe' })],
    ['decide', () => ({ project: project.id, trace: ids.detail, key, decision: 'everywhere:unsafe' })],
    ['rest', () => ({ project: project.id, report: ids.report, verdict: 'safe' })],
    ['rest', () => ({ project: project.id, report: ids.report, verdict: 'safe', jar: 'inner.jar' })],
    ['code', () => ({ key })],
    ['scan', () => ({ file: file_id })],
    [
      'file',
      () => ({
        project: project.id,
        sha1: pack_sha1,
        status: 'with-attribution',
        title: '',
        link: 'https://work.test/',
        proof: '',
      }),
    ],
    ['work', () => ({ work: external_id, status: 'no', title: 'Work', link: '', exceptions: '', proof: '' })],
    ['trust', () => ({ user: people.user.id, allow: 'no' })],
  ];
  test.each(forms)('%s', async (path, json) => {
    expect((await send(null, path, json()))[0]).toBe(401);
    expect((await send('user', path, json()))[0]).toBe(401);
    expect((await send('moderator', path, json()))[0]).toBe(200);
  });

  test('submit leads back to the list', async () => {
    await send('moderator', 'rest', { project: project.id, report: ids.report, verdict: 'unsafe' });
    expect(await send('moderator', 'submit', { project: project.id, verdict: 'unsafe' })).toEqual([
      200,
      '/moderation/technical-review?done=unsafe',
    ]);
    const [row] = await database.sql`select malware from projects where id = ${project.id}`;
    expect(row).toEqual({ malware: true });
  });
});
