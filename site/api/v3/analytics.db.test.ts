import { beforeAll, describe, expect, it } from 'vitest';
import { type AnalyticsRecord, insertRecords } from '#db/analytics/records.ts';
import { rollUp } from '#db/analytics/roll-up.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const now = new Date('2026-03-10T15:30:00Z');
const day = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' };

let owner: build.BuiltUser;
let token: string;
let one: build.BuiltProject;
let two: build.BuiltProject;
let pack: build.BuiltProject;
let version: build.BuiltVersion;

const many = (count: number, record: Omit<AnalyticsRecord, 'at'> & { at?: Date }): AnalyticsRecord[] =>
  Array.from({ length: count }, () => ({ at: new Date('2026-03-10T10:15:00Z'), ...record }));

beforeAll(async () => {
  const { sql } = database;
  api.services.now = () => now;
  owner = await build.user(sql);
  token = await build.token(sql, owner);
  one = await build.project(sql, { owner });
  two = await build.project(sql, { owner });
  pack = await build.project(sql);
  version = await build.version(sql, one, {});
  await sql`update versions set date_published = '2026-03-10T09:00:00Z', name = 'First', version_number = '1.0' where id = ${version.id}`;
  await sql`insert into audit_log (event_id, at, name, subject_type, subject_id, data)
    values (1, '2026-03-10T08:00:00Z', 'project.moved', 'project', ${one.id}, '{"from":"processing","to":"approved"}')`;
  const download = { kind: 'download', project_id: one.id, version_id: version.id } as const;
  const records = [
    ...many(60, { ...download, country: 'DE', source: 'app', loader: 'fabric' }),
    ...many(49, { ...download, country: 'US', source: 'prism', dependent_id: pack.id }),
    ...many(3, { ...download, country: 'XX', source: 'other' }),
    ...many(2, { ...download, country: 'XX', source: '' }),
    ...many(7, { ...download, project_id: two.id, version_id: '', at: new Date('2026-03-10T15:05:00Z') }),
    ...many(4, { kind: 'view', project_id: one.id, domain: 'cairn.example', site_path: '/project' }),
    ...many(1, { kind: 'view', project_id: one.id, domain: 'cairn.example', monetized: true }),
    ...many(1, { kind: 'playtime', project_id: one.id, version_id: version.id, amount: 300, country: 'FR' }),
    ...many(9, { kind: 'download', project_id: pack.id }),
  ];
  await sql.begin(async (tx) => await insertRecords(tx, records));
  await rollUp(sql, now, { records_d: 35 });
});

const ask = async (
  return_metrics: object,
  more: { token?: string; project_ids?: string[]; time_range?: object } = {},
) => {
  const time_range = more.time_range ?? { ...day, resolution: { slices: 24 } };
  return await api.call('POST', '/v3/analytics', {
    token: more.token ?? token,
    json: { time_range, return_metrics, project_ids: more.project_ids ?? [] },
  });
};
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
const answerOf = async (...given: Parameters<typeof ask>): Promise<any> => {
  const answer = await ask(...given);
  const body = await answer.json();
  expect(body, JSON.stringify(body)).not.toHaveProperty('error');
  return body;
};

describe('POST /v3/analytics', () => {
  it('gives a list for each slice, with projects and what happened to them', async () => {
    const { metrics, projects, users, project_events } = await answerOf({
      project_downloads: { bucket_by: ['project_id'] },
      project_views: {},
    });
    expect(metrics).toHaveLength(24);
    expect(metrics[10]).toEqual([
      { source_project: null, metric_kind: 'project_views', views: 5 },
      { source_project: one.id, metric_kind: 'project_downloads', downloads: 114 },
    ]);
    expect(metrics[15]).toEqual([{ source_project: two.id, metric_kind: 'project_downloads', downloads: 7 }]);
    expect(metrics.flat()).toHaveLength(3);
    expect(Object.keys(projects).sort()).toEqual([one.id, two.id].sort());
    expect(projects[one.id]).toMatchObject({ id: one.id, slug: one.slug });
    expect(users).toEqual({});
    expect(project_events).toEqual([
      {
        ...{ project_id: one.id, timestamp: '2026-03-10T09:00:00Z', kind: 'version_uploaded' },
        ...{ version_id: version.id, version_name: 'First', version_number: '1.0' },
      },
      {
        ...{ project_id: one.id, timestamp: '2026-03-10T08:00:00Z', kind: 'status_changed' },
        ...{ status_from: 'processing', status_to: 'approved' },
      },
    ]);
  });
});
