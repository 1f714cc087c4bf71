import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { loadThread } from '../../messages/threads/thread.server.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const now = new Date();

async function browserOf(user_id: string) {
  const { session } = await openSession(database.sql, { user_id, user_agent: null, now: new Date() });
  return { cookie: `auth-token=${session}`, 'sec-fetch-site': 'same-origin' };
}
const send = async (user_id: string, path: string, json: object) =>
  await api.call('POST', `/_internal/threads/${path}`, { headers: await browserOf(user_id), json });
const threadOf = async (id: string) =>
  (await database.sql<Array<{ thread_id: string }>>`select thread_id from projects where id = ${id}`)[0]!
    .thread_id;

test('members and moderators write; members see no name of a moderator, no private note, and safe HTML', async () => {
  const { sql } = database;
  const project = await build.project(sql, { status: 'rejected' });
  const moderator = await build.user(sql, { role: 'moderator', username: 'Arbiter' });
  const thread = await threadOf(project.id);
  const back = '/mod/x/moderation';
  const answer = await send(project.owner.id, 'reply', {
    thread,
    reply: '**Done** <script>x</script>',
    back,
  });
  expect(await answer.json()).toMatchObject({
    to: expect.stringMatching(/^\/mod\/x\/moderation\?written=\w+#thread-end$/),
  });
  await send(moderator.id, 'reply', { thread, reply: 'Thanks', back });
  await send(moderator.id, 'reply', { thread, reply: 'Known author', private: 'on', back });

  const seen = (await loadThread(api.services, thread, build.actorFor(project.owner), now))!;
  const texts = seen.messages.filter(({ content }) => content.kind === 'text');
  expect(texts.map(({ author }) => author)).toMatchObject([
    { kind: 'user', is_staff: false },
    { kind: 'staff' },
  ]);
  expect(texts[0]!.content).toMatchObject({
    html: expect.stringContaining('<strong>Done</strong>'),
    may_delete: true,
  });
  expect(JSON.stringify(seen)).not.toMatch(/<script|Arbiter|Known author/);

  const staff = (await loadThread(
    api.services,
    thread,
    build.actorFor(moderator, { role: 'moderator' }),
    now,
  ))!;
  expect(staff.messages.at(-1)).toMatchObject({
    author: { username: 'Arbiter', is_staff: true },
    content: { is_private: true },
  });
  const stranger = await build.user(sql);
  expect(await loadThread(api.services, thread, build.actorFor(stranger), now)).toBeNull();
});

test('nobody watches the thread of an approved project: members confirm that first', async () => {
  const project = await build.project(database.sql, { status: 'approved' });
  const message = { thread: await threadOf(project.id), reply: 'A question', back: '/mod/x/moderation' };
  const refused = await send(project.owner.id, 'reply', message);
  expect(await refused.json()).toMatchObject({
    details: { code: 'reply_unwatched', fields: [{ field: 'acknowledged' }] },
  });
  expect((await send(project.owner.id, 'reply', { ...message, acknowledged: 'on' })).status).toBe(200);
  // who may not see it learns nothing of its state
  const stranger = await build.user(database.sql);
  expect(await (await send(stranger.id, 'reply', message)).json()).toMatchObject({
    details: { code: 'not_found' },
  });
});

test('pictures that a message names belong to it, and go with it', async () => {
  const { sql } = database;
  const project = await build.project(sql, { status: 'draft' });
  const { id: image, key } = await build.image(sql, project.owner, { context: 'thread_message' });
  const thread = await threadOf(project.id);
  await send(project.owner.id, 'reply', { thread, reply: `![](https://cdn.example/${key})`, back: '/' });
  const [used] = await sql`select thread_message_id from images where id = ${image}`;
  expect(used!.thread_message_id).not.toBeNull();
  const gone = await send(project.owner.id, 'delete', {
    message: used!.thread_message_id,
    back: '/mod/x/moderation',
  });
  expect(await gone.json()).toMatchObject({
    to: expect.stringMatching(/^\/mod\/x\/moderation\?removed=\w+#thread$/),
  });
  expect(await sql`select 1 from images where id = ${image}`).toHaveLength(0);
});

test('blank and too long messages are refused beside the field, and a foreign address leads nowhere', async () => {
  const project = await build.project(database.sql, { status: 'draft' });
  const thread = await threadOf(project.id);
  for (const reply of ['  ', 'x'.repeat(65_537)]) {
    const answer = await send(project.owner.id, 'reply', { thread, reply, back: '/' });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: { fields: [{ field: 'reply' }] } },
    ]);
  }
  const answer = await send(project.owner.id, 'reply', {
    thread,
    reply: 'Hello',
    back: 'https://elsewhere.example/',
  });
  expect(await answer.json()).toMatchObject({
    to: expect.stringMatching(/^\/dashboard\?written=\w+#thread-end$/),
  });
});
