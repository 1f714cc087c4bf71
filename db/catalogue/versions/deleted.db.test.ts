import { expect, test } from 'vitest';
import { migrate, migrations } from '../../migrations/migrate.ts';
import { connect } from '../../platform/postgres/sql.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { deletedVersionById } from './deleted.ts';

const database = testDatabase();

test('versions that were public before the upgrade are known as such, and drafts and versions of drafts are not', async () => {
  const { sql } = database;
  const name = `${database.name}_before`;
  await sql.unsafe(`create database ${name} template template0`);
  const before = connect({ address: database.address, database: name, max: 2 });
  try {
    await before`create table migrations (name text primary key, checksum text not null, ran timestamptz not null default now())`;
    // the builder of projects writes the column of the later one
    const ran = migrations().filter(({ name }) => name < '0317' || name.startsWith('0364_'));
    for (const { name: file, text, checksum } of ran) {
      await before.unsafe(text);
      await before`insert into migrations (name, checksum) values (${file}, ${checksum})`;
    }
    const project = await build.project(before);
    const listed = await build.version(before, project);
    const unlisted = await build.version(before, project, { status: 'unlisted', version_number: '2' });
    const draft = await build.version(before, project, { status: 'draft', version_number: '3' });
    const held = await build.version(before, project, { status: 'draft', version_number: '4' });
    await before`update versions set held = now() where id = ${held.id}`;
    const early = await build.version(before, await build.project(before, { status: 'draft' }));

    expect(await migrate(before)).toContain('0317_deleted_versions.sql');
    await before`delete from versions`;
    const gone = async ({ id }: { id: string }) =>
      (await deletedVersionById(before, id, null))?.version_number ?? null;
    expect(await Promise.all([listed, unlisted, draft, held, early].map(gone))).toEqual([
      '1.0.0',
      '2',
      null,
      '4',
      null,
    ]);
    expect(await before`select sha512 from withdrawn_files where version_id = ${listed.id}`).toHaveLength(1);
  } finally {
    await before.end();
    await sql.unsafe(`drop database ${name} with (force)`);
  }
});
