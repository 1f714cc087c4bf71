import { expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { projectCounts, versionCounts } from './counts.ts';

const database = testDatabase();

it('lists what was published, the most downloaded first', async () => {
  const project = await build.project(database.sql);
  const version = async (version_number: string, downloads: number, status = 'listed') => {
    const { id } = await build.version(database.sql, project, { version_number, status });
    await database.sql`update versions set downloads = ${downloads} where id = ${id}`;
  };
  await version('1.0.0', 3);
  await version('1.1.0', 7);
  await version('2.0.0', 9, 'draft');
  expect(await versionCounts(database.sql, project.id)).toMatchObject([
    { version_number: '1.1.0', downloads: 7 },
    { version_number: '1.0.0', downloads: 3 },
  ]);
});

it('lists the projects of an organization only', async () => {
  const organization = await build.organization(database.sql);
  await build.project(database.sql, { organization, title: 'Small', downloads: 1, followers: 2 });
  await build.project(database.sql, { organization, title: 'Large', downloads: 5 });
  await build.project(database.sql, { downloads: 99 });
  expect(await projectCounts(database.sql, organization.id)).toMatchObject([
    { title: 'Large', downloads: 5 },
    { title: 'Small', downloads: 1, followers: 2 },
  ]);
});
