import { beforeAll, describe, expect, it } from 'vitest';
import { insertRecords } from '#db/discovery/analytics/records.ts';
import { rollUp } from '#db/discovery/analytics/roll-up.ts';
import { divideRevenue } from '#db/money/billing/revenue/divide.ts';
import { addIncome } from '#db/money/billing/revenue/income.ts';
import { releaseRevenue } from '#db/money/billing/revenue/release.ts';
import { operator } from '#db/platform/people/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const now = new Date('2026-12-31T08:00:00Z');

let owner: build.BuiltUser;
let helper: build.BuiltUser;
let token: string;
let one: build.BuiltProject;

beforeAll(async () => {
  const { sql } = database;
  api.services.now = () => now;
  owner = await build.user(sql);
  helper = await build.user(sql);
  token = await build.token(sql, owner);
  one = await build.project(sql, { owner });
  const [row] = await sql<Array<{ team: string }>>`select team from projects where id = ${one.id}`;
  await build.member(sql, row!.team, helper, { payouts_split: 50, permissions: 256 });
  for (const [index, day] of ['2026-10-20', '2026-11-20', '2026-12-20'].entries()) {
    const record = { kind: 'view', project_id: one.id, monetized: true } as const;
    await sql.begin((tx) => insertRecords(tx, [{ ...record, at: new Date(`${day}T10:00:00Z`) }]));
    const input = { day, source: 'ads', amount_minor: 1_000 + index, impressions: 0, note: '' } as const;
    await sql.begin((tx) => addIncome(tx, operator, { ...input, reference: day }, 0, now));
  }
  await rollUp(sql, now, { records_d: 400 });
  // what is divided after its month was released would go with the current one
  await divideRevenue(sql, new Date('2026-12-29T08:00:00Z'));
  await releaseRevenue(sql, now);
});

const get = async (path: string, by = token) => {
  const answer = await api.call('GET', path, { token: by });
  return { status: answer.status, body: await answer.json() };
};

describe('GET /v3/payout/balance', () => {
  it('has what is released and what will be, by date, in decimals that are texts', async () => {
    expect(await get('/v3/payout/balance')).toEqual({
      status: 200,
      body: {
        available: '5',
        withdrawn_lifetime: '0',
        withdrawn_ytd: '0',
        pending: '10.006667',
        dates: { '2027-01-29T00:00:00.000Z': '5', '2027-03-01T00:00:00.000Z': '5.006667' },
        requested_form_type: null,
        form_completion_status: 'unrequested',
      },
    });
  });

  it('needs a token that may read payouts, and is empty for others', async () => {
    expect((await get('/v3/payout/balance', '')).status).toBe(401);
    const other = await build.token(database.sql, owner, ['ANALYTICS']);
    for (const path of ['balance', 'history']) {
      const refused = await get(`/v3/payout/${path}`, other);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        401,
        expect.stringContaining('PAYOUTS_READ'),
      ]);
    }
    const stranger = await build.token(database.sql, await build.user(database.sql));
    expect((await get('/v3/payout/balance', stranger)).body).toMatchObject({
      available: '0',
      pending: '0',
      dates: {},
    });
    expect((await get('/v3/payout/history', stranger)).body).toEqual([]);
  });
});

it('GET /v3/payout/history has what became available', async () => {
  expect((await get('/v3/payout/history')).body).toEqual([
    {
      type: 'payout_available',
      created: now.toISOString().replace('.000', ''),
      payout_source: 'creator_rewards',
      amount: '5',
    },
  ]);
});

describe('GET /v3/payout/platform_revenue', () => {
  it('has the days asked for and all that creators ever got', async () => {
    const { body } = await get(
      '/v3/payout/platform_revenue?start=2026-11-01T00:00:00Z&end=2026-12-21T00:00:00Z',
      '',
    );
    expect(body).toEqual({
      all_time: '22.51',
      all_time_available: '7.5',
      data: [
        { time: Date.parse('2026-11-20') / 1000, revenue: '10.01', creator_revenue: '7.5' },
        { time: Date.parse('2026-12-20') / 1000, revenue: '10.02', creator_revenue: '7.51' },
      ],
    });
  });

  it.each(['start=x', 'start=2026-12-01T00:00:00Z&end=2026-11-01T00:00:00Z', 'start=1971-01-01T00:00:00Z'])(
    'refuses %s',
    async (query) => {
      expect((await get(`/v3/payout/platform_revenue?${query}`, '')).status).toBe(400);
    },
  );
});

describe('revenue of projects', () => {
  const ask = async (by: string, wanted: object) => {
    const time_range = {
      start: '2026-11-20T00:00:00Z',
      end: '2026-12-21T00:00:00Z',
      resolution: { minutes: 1440 },
    };
    const answer = await api.call('POST', '/v3/analytics', {
      token: by,
      json: { time_range, return_metrics: { project_revenue: wanted } },
    });
    return { status: answer.status, body: await answer.json() };
  };

  it('is told apart by project and person, with these people', async () => {
    const { body } = await ask(token, {
      bucket_by: ['project_id', 'user_id'],
      filter_by: { user_id: [helper.id] },
    });
    const entry = { source_project: one.id, metric_kind: 'project_revenue', user_id: helper.id };
    expect(body.metrics[0]).toEqual([{ ...entry, revenue: '2.5' }]);
    expect(body.metrics[30]).toEqual([{ ...entry, revenue: '2.503333' }]);
    expect(Object.keys(body.users)).toEqual([helper.id]);
    const all = await ask(token, {});
    expect(all.body.metrics[0]).toEqual([
      { source_project: null, metric_kind: 'project_revenue', revenue: '7.5' },
    ]);
  });

  it('is not for members who may only see analytics, nor for tokens that may not read payouts', async () => {
    const seen = await ask(await build.token(database.sql, helper), {});
    expect([seen.status, seen.body.metrics.flat()]).toEqual([200, []]);
    expect((await ask(await build.token(database.sql, owner, ['ANALYTICS']), {})).status).toBe(401);
  });

  it('GET /v3/analytics/revenue has it by Unix seconds, as numbers', async () => {
    const path = '/v3/analytics/revenue?start_date=2026-11-20T00:00:00Z&end_date=2026-12-21T00:00:00Z';
    const seconds = (day: string) => Date.parse(day) / 1000;
    expect((await get(path)).body).toEqual({
      [one.id]: { [seconds('2026-11-20')]: 7.5, [seconds('2026-12-20')]: 7.51 },
    });
    const other = await build.token(database.sql, helper);
    expect((await get(path, other)).body).toEqual({ [one.id]: {} });
  });
});

describe('tax forms', () => {
  it('are those of whoever collects them', async () => {
    const { taxForms } = api.services;
    api.services.taxForms = {
      request: async (_tx, _user, type) => ({ link: `https://tax.example/${type}` }),
      status: async () => ({ form_type: 'W-8BEN', status: 'tin-mismatch', signed: null }),
    };
    try {
      expect((await get('/v3/payout/balance')).body).toMatchObject({
        requested_form_type: 'W-8BEN',
        form_completion_status: 'tin-mismatch',
      });
      const answer = await api.call('POST', '/v3/payout/compliance', { token, json: { form_type: 'W-9' } });
      expect(await answer.json()).toEqual({ form_type: 'W-9', signing_link: 'https://tax.example/W-9' });
    } finally {
      api.services.taxForms = taxForms;
    }
  });
});
