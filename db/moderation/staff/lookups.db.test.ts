import { expect, it } from 'vitest';
import { project, user, version } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { accountDetails } from './account.ts';
import { algorithmOf, filesByHash } from './file-lookup.ts';

const database = testDatabase();

it('finds a file by either hash, hidden ones too, and who published it', async () => {
  const { sql } = database;
  const hidden = await project(sql, { status: 'draft' });
  const made = await version(sql, hidden, {});
  const [file] = await sql<Array<{ sha1: string; sha512: string }>>`
    select sha1, sha512 from files where version_id = ${made.id}`;
  for (const hash of [file!.sha1, file!.sha512.toUpperCase()])
    expect(await filesByHash(sql, hash)).toMatchObject([
      { version_id: made.id, project_id: hidden.id, project_status: 'draft', author: hidden.owner.username },
    ]);
  for (const hash of ['', 'abc', 'f'.repeat(64), `${'f'.repeat(39)}'`, 'e'.repeat(40)])
    expect(await filesByHash(sql, hash)).toEqual([]);
});

it('knows a hash by its length', () => {
  expect(['a'.repeat(40), 'B'.repeat(128), 'a'.repeat(64), 'g'.repeat(40)].map(algorithmOf)).toEqual([
    ...['sha1', 'sha512', null, null],
  ]);
});

it('gives the details of an account, null for none', async () => {
  const { sql } = database;
  const person = await user(sql);
  await project(sql, { owner: person });
  expect(await accountDetails(database, person.id)).toMatchObject({
    username: person.username,
    role: 'developer',
    owned: { projects: 1, organizations: 0, collections: 0 },
    reports: { made: 0, about: 0 },
    suspended_until: null,
    providers: [],
  });
  expect(await accountDetails(database, 'Nothing1')).toBeNull();
});
