import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

test('a message of their own counts before it was saved; one of the checklist needs what it asks for', async () => {
  const { sql } = database;
  const moderator = await build.user(sql, { role: 'moderator' });
  const opened = await openSession(sql, { user_id: moderator.id, user_agent: null, now: new Date() });
  const cookie = `auth-token=${opened.session}`;
  const { id } = await build.project(sql, { status: 'processing' });
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  const send = async (path: string, fields: Record<string, string>) => {
    const answer = await api.call('POST', `/_internal/moderation/review${path}`, {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ project: id, ...fields })),
    });
    return answer.headers.get('location') ?? '';
  };
  await send('', {});
  const saved = await api.call('POST', '/_internal/moderation/review/save', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ project: id, stage: 'links', choices: { links_dead: 'on' }, message: null }),
  });
  const { message, missing } = (await saved.json()) as { message: string; missing: string[] };
  expect(missing).toEqual(['links_dead:link']);

  const reject = { status: 'processing', verdict: 'reject' };
  expect(await send('/decide', { ...reject, message })).toContain('error=review_input_missing');
  expect(await send('/decide', { ...reject, message: 'Your links lead nowhere.' })).not.toContain('error=');
  const [row] = await sql`select status from projects where id = ${id}`;
  expect(row).toEqual({ status: 'rejected' });
});
