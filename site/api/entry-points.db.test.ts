import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Scope, tokenScopes, unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { appToken, session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { earn } from '#db/testing/payouts.ts';
import { testApi } from '../testing/api.ts';

/**
 * Dangerous actions by every way to them: routes of the API and forms of our pages. Whoever is refused by one is refused by
 * the other, and no token does what a form does.
 */
const database = testDatabase();
const api = testApi(database);

const hours_ms = 3_600_000;
const all = [...unrestrictedScopes];

/** Who asks; `own` is the person whom the action is about, `member` may edit members of their project. */
const callers = {
  'own, just proved': (sql, { own }) => session(sql, own),
  'own, proved hours ago': (sql, { own }) => session(sql, own, { proved_ago_ms: 3 * hours_ms }),
  'own token with all scopes': (sql, { own }) => build.token(sql, own, all),
  'own token without scopes': (sql, { own }) => build.token(sql, own, []),
  'own app with all scopes': (sql, { own }) => appToken(sql, own),
  stranger: (sql, { stranger }) => session(sql, stranger),
  member: (sql, { member }) => session(sql, member),
  'administrator, just proved': (sql, { admin }) => session(sql, admin),
  'administrator, proved hours ago': (sql, { admin }) => session(sql, admin, { proved_ago_ms: 3 * hours_ms }),
  'token of an administrator': (sql, { admin }) => build.token(sql, admin, all),
  'token of an administrator, for staff': (sql, { admin }) => build.token(sql, admin, tokenScopes as Scope[]),
  'app of an administrator': (sql, { admin }) => appToken(sql, admin),
} satisfies Record<string, (sql: typeof database.sql, who: World) => Promise<string>>;
type Caller = keyof typeof callers;

interface World {
  own: build.BuiltUser;
  stranger: build.BuiltUser;
  member: build.BuiltUser;
  admin: build.BuiltUser;
  /** With an address that is not verified. */
  newcomer: build.BuiltUser;
  project: build.BuiltProject;
}

/** A person with a project, a member, money, and an administrator: for one attempt each. */
async function world(): Promise<World> {
  const { sql } = database;
  const own = await build.user(sql);
  const member = await build.user(sql);
  const project = await build.project(sql, { owner: own, status: 'approved' });
  await build.member(sql, project.team, member, { permissions: 64 });
  await earn(sql, own.id, 50_000, new Date());
  return {
    own,
    member,
    project,
    stranger: await build.user(sql),
    newcomer: await build.user(sql, { email_verified: false }),
    admin: await build.user(sql, { role: 'admin' }),
  };
}

interface Request {
  method: string;
  path: string;
  json: object;
}
/** A way to do something; `caller` is who asks, where the action is about whoever does it. */
type EntryPoint = (who: World) => Request;

interface Action {
  /** Who may, by one way at least; everybody else may by none. */
  by: readonly Caller[];
  entries: readonly EntryPoint[];
}

const form = (path: string, json: object): Request => ({ method: 'POST', path: `/_internal/${path}`, json });
const proved = ['own, just proved', 'administrator, just proved'] as const;
const tomorrow = () => new Date(Date.now() + 24 * hours_ms).toISOString();
const token_of_all = { name: 'for all', scopes: 2, expires: tomorrow() };
const withdrawn = {
  country: 'DE',
  type: 'paypal',
  method_id: 'paypal',
  amount: '100',
  address: 'thief@example.org',
};
const agreed = { agree_fee: 'on', agree_transfer: 'on', agree_terms: 'on' };

const actions: Record<string, Action> = {
  'make somebody administrator': {
    by: ['administrator, just proved'],
    entries: [
      ({ stranger }) => ({ method: 'PATCH', path: `/v2/user/${stranger.id}`, json: { role: 'admin' } }),
      ({ stranger }) => ({ method: 'PATCH', path: `/v3/user/${stranger.id}`, json: { role: 'admin' } }),
      ({ stranger }) => form('staff/rank', { user: stranger.id, role: 'admin' }),
    ],
  },
  'vouch for the address of somebody': {
    by: ['administrator, just proved'],
    entries: [
      ({ newcomer: { id, username } }) =>
        form('staff/verify-email', { user: id, email: `${username}@example.test` }),
    ],
  },
  'delete the account': {
    by: proved,
    entries: [
      ({ own }) => ({ method: 'DELETE', path: `/v2/user/${own.id}`, json: {} }),
      ({ own }) => ({ method: 'DELETE', path: `/v3/user/${own.id}`, json: {} }),
    ],
  },
  'make a token': {
    // of whoever asks
    by: [...proved, 'stranger', 'member'],
    entries: [
      () => ({ method: 'POST', path: '/v2/pat', json: token_of_all }),
      () => ({ method: 'POST', path: '/_internal/pat', json: token_of_all }),
      () => form('tokens/create', { name: 'for all', expires_in: '30', scope_USER_READ: 'on' }),
    ],
  },
  'divide the revenue otherwise': {
    by: proved,
    entries: [
      ({ project, member }) => ({
        method: 'PATCH',
        path: `/v2/team/${project.team}/members/${member.id}`,
        json: { payouts_split: 4_000 },
      }),
      ({ project, member }) => ({
        method: 'PATCH',
        path: `/v3/team/${project.team}/members/${member.id}`,
        json: { payouts_split: 4_000 },
      }),
      ({ project, member }) =>
        form('team/edit', {
          ...{ team_id: project.team, user_id: member.id, page: `/project/${project.id}/settings/members` },
          ...{ role: 'Member', payouts_split: '4000', permissions_64: 'on' },
        }),
    ],
  },
  'take a project down': {
    by: ['administrator, just proved'],
    entries: [
      ({ project }) =>
        form('takedowns', {
          ...{ project: project.slug, sure: project.id, kind: 'copyright' },
          ...{ reference: '', reason: 'It is mine.' },
        }),
    ],
  },
  'write a notice to every renter': {
    by: ['administrator, just proved'],
    entries: [
      () => form('notices', { level: 'critical', title: 'Pay here', target: 'all', confirmed: 'on' }),
    ],
  },
};

/** What became of a request: `done`, or the code of its refusal. */
async function outcome({ method, path, json }: Request, token: string): Promise<string> {
  const answer = await api.call(method, path, { token, json });
  if (answer.ok) return 'done';
  const { error, details } = (await answer.json()) as { error: string; details?: { code?: string } };
  const code = details?.code ?? error;
  expect(answer.status, `${method} ${path}: ${code}`).toBeLessThan(500);
  return code;
}

describe.each(Object.entries(actions))('%s', (_name, { by, entries }) => {
  test.each(Object.entries(callers))('%s', async (name, sign) => {
    const outcomes: string[] = [];
    for (const entry of entries) {
      const who = await world();
      outcomes.push(await outcome(entry(who), await sign(database.sql, who)));
    }
    const is_form = entries.map((entry) => /_internal\/(?!pat)/.test(entry(fake).path));
    const by_session = /proved|stranger|member/.test(name);
    const may = (by as readonly string[]).includes(name);
    for (const [at, said] of outcomes.entries()) {
      if (is_form[at] && !by_session) expect(said).toBe('form_with_token');
      else if (may) expect(said).toBe('done');
      else expect(said).not.toBe('done');
    }
    if (by_session) expect(new Set(outcomes), outcomes.join()).toHaveLength(1);
    if (
      name.endsWith('hours ago') &&
      by.some((one) => one === name.replace('proved hours ago', 'just proved'))
    )
      expect(outcomes[0]).toBe('proof_required');
  });
});

const nobody = { id: 'AAAAAAAA', username: 'nobody' };
/** To see the paths of entry points. */
const fake = {
  ...{ own: nobody, stranger: nobody, member: nobody, admin: nobody, newcomer: nobody },
  project: { id: 'AAAAAAAA', slug: 'a', team: 'AAAAAAAA' } as build.BuiltProject,
} as World;

describe('money goes to another address', () => {
  const send = (token: string, address = 'thief@example.org') =>
    outcome(form('payouts/withdraw', { ...withdrawn, ...agreed, address, op_id: randomUUID() }), token);

  test('after a proof, and to the same one without', async () => {
    const { sql } = database;
    const who = await world();
    const old = await session(sql, who.own, { proved_ago_ms: 3 * hours_ms });
    expect(await send(old)).toBe('proof_required');
    expect(await send(await session(sql, who.own), 'me@example.org')).toBe('done');
    expect(await send(old, 'me@example.org')).toBe('done');
    expect(await send(old)).toBe('proof_required');
  });

  test('by no token and no app', async () => {
    const { sql } = database;
    const { own } = await world();
    const body = { amount: '100', method: 'paypal', method_id: 'paypal', country: 'DE' };
    for (const token of [await build.token(sql, own, all), await appToken(sql, own)]) {
      expect(await send(token)).toBe('form_with_token');
      const stated = { ...body, method_details: { type: 'email', address: 'thief@example.org' } };
      expect(await outcome({ method: 'POST', path: '/v3/payout', json: stated }, token)).not.toBe('done');
      const handle = { venmo_handle: 'thief-of-all' };
      const edit = { method: 'PATCH', path: `/v2/user/${own.id}`, json: handle };
      expect(await outcome(edit, token)).toBe('proof_required');
    }
    expect(await sql`select 1 from payouts where user_id = ${own.id}`).toHaveLength(0);
  });
});

test('a token lasts 366 days at most, made or changed', async () => {
  const { sql } = database;
  const { own } = await world();
  const token = await session(sql, own);
  const late = new Date(Date.now() + 367 * 24 * hours_ms).toISOString();
  const make = { method: 'POST', path: '/v2/pat', json: { ...token_of_all, expires: late } };
  expect(await outcome(make, token)).toBe('token_expiry_late');
  const made = await api.call('POST', '/v2/pat', { token, json: token_of_all });
  const { id } = (await made.json()) as { id: string };
  const edit = { method: 'PATCH', path: `/v2/pat/${id}`, json: { expires: late } };
  expect(await outcome(edit, token)).toBe('token_expiry_late');
});

test('a token for staff is made by staff in a fresh session alone', async () => {
  const { sql } = database;
  const { own, admin } = await world();
  const json = { ...token_of_all, scopes: 2 ** 51 };
  const make = async (token: string) => outcome({ method: 'POST', path: '/v2/pat', json }, token);
  expect(await make(await session(sql, own))).toBe('scope_restricted');
  expect(await make(await session(sql, admin, { proved_ago_ms: hours_ms }))).toBe('proof_required');
  expect(await make(await session(sql, admin))).toBe('done');
  const app = { name: 'For staff', max_scopes: 2 ** 51, redirect_uris: ['https://a.example/back'] };
  const request = { method: 'POST', path: '/_internal/oauth/app', json: app };
  expect(await outcome(request, await session(sql, admin))).toBe('scope_restricted');
});

test('a form takes no token, not even that of a session, and reads nothing of it', async () => {
  const { sql } = database;
  const { own } = await world();
  const authorization = await session(sql, own);
  const answer = await api.call('POST', '/_internal/tokens/create', {
    headers: { authorization, 'content-type': 'application/json' },
    body: '{ not even JSON',
  });
  expect([answer.status, await answer.json()]).toMatchObject([401, { details: { code: 'form_with_token' } }]);
});
