import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { pageLocaleHeader } from '../platform/paths/page-locale-header.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const broken = testApi({
  get sql() {
    return connect({ address: database.address, database: 'nowhere', max: 1 });
  },
});
const in_german = { [pageLocaleHeader]: 'de-DE' };
const german = messages('de-DE');

/** Status, cache header and JSON of an answer; null for an empty one. */
async function answerOf(answer: Response) {
  const text = await answer.text();
  const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
  return { status: answer.status, cache: answer.headers.get('cache-control'), body };
}

test('a refusal of one of our pages is in its language and not cached; only that differs', async () => {
  const owner = await token(database.sql, await user(database.sql));
  const follow = (headers = {}) => api.call('POST', '/v2/project/AABBCCDD/follow', { token: owner, headers });
  const english = await answerOf(await follow());
  expect(english).toMatchObject({ status: 400, cache: 'private, no-store' });
  expect(await answerOf(await follow(in_german))).toEqual({
    ...english,
    body: { ...english.body, description: german.t('error.project_unknown') },
  });
  const anonymous = await answerOf(await api.call('GET', '/v3/collection/AABBCCDD'));
  expect(anonymous).toMatchObject({ status: 404, cache: null });
  expect(anonymous.body?.description).not.toBe(german.t('error.not_found'));
});

test('a missing resource of v2 has a body for our pages', async () => {
  const path = '/v2/user/nobody-here';
  expect((await answerOf(await api.call('GET', path))).body).toBeNull();
  const { status, body } = await answerOf(await api.call('GET', path, { headers: in_german }));
  expect([status, body?.error, body?.description]).toEqual([404, 'not_found', german.t('error.not_found')]);
});

test('an unknown language gets English', async () => {
  for (const tag of ['', 'xx', 'de-DE, en', 'x'.repeat(3000)]) {
    const headers = { [pageLocaleHeader]: tag };
    const { body } = await answerOf(await api.call('GET', '/v3/collection/AABBCCDD', { headers }));
    expect(body?.description).toBe(messages('en-US').t('error.not_found'));
  }
});

test('what is wrong with a form is in the language of its page, not in that of the cookie', async () => {
  const headers = { ...in_german, cookie: 'locale=ar-SA', 'sec-fetch-site': 'same-origin' };
  const answer = await api.call('POST', '/_internal/auth/sign-in', { json: {}, headers });
  const { body } = await answerOf(answer);
  const { fields } = body!.details as { fields: Array<{ text: string }> };
  expect(fields[0]?.text).toBe(german.t('form.required'));
});

test('a bug is reported in the language of the page', async () => {
  const answer = await broken.call('GET', '/v2/user/anybody', { headers: in_german });
  expect(await answerOf(answer)).toEqual({
    status: 500,
    cache: 'private, no-store',
    body: { error: 'internal_error', description: german.t('shell.problem_text') },
  });
});
