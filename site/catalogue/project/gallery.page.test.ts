import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testSite } from '../../testing/test-site.ts';

const database = testDatabase('demo');
const site = testSite(database);
const gallery = '/mod/lanternroot/gallery';

test('without scripts the pictures of a gallery link to the originals', async () => {
  const page = await site.open(gallery);
  expect(page.all('dialog')).toHaveLength(0);
  const [picture] = [...page.main.querySelectorAll('a[href*="/data/"]')].filter((link) =>
    link.querySelector('img'),
  );
  const answer = await site.fetch(picture!.getAttribute('href')!);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
});

test('a hidden project disappears at once, with its pages, from the profile of its owner too', async () => {
  const statuses = async () => {
    const answers = await Promise.all(
      [gallery, '/mod/lanternroot/changelog'].map((path) => site.fetch(path)),
    );
    return answers.map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200]);
  const [owner] = await database.sql<Array<{ id: string; username: string }>>`
    select u.id, u.username from team_members m join projects p on p.team = m.team_id join users u on u.id = m.user_id
    where p.slug = 'lanternroot' and m.is_owner`;
  const onProfile = async () =>
    (await site.open(`/user/${owner!.username}?q=lanternroot`)).all('link', { name: 'Lanternroot' }).length;
  expect(await onProfile()).toBe(1);
  const hidden = await site.fetch('/v2/project/lanternroot', {
    method: 'PATCH',
    headers: {
      authorization: await build.token(database.sql, owner!),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status: 'private' }),
  });
  expect(hidden.status).toBe(204);
  expect(await statuses()).toEqual([404, 404]);
  expect(await onProfile()).toBe(0);
});
