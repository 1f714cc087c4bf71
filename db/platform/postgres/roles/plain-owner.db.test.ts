import { afterAll, expect, it } from 'vitest';
import { migrate } from '../../../migrations/migrate.ts';
import { testDatabase } from '../../../testing/database.ts';
import { installQueue } from '../../jobs/queue.ts';
import { connect } from '../sql.ts';
import { applyGrants } from './apply.ts';
import { createRoles, mayCreateRoles, randomPasswords } from './create.ts';
import { isSuperuser } from './sessions.ts';

const database = testDatabase();
const name = 'of_plain_owner';
afterAll(async () => {
  await database.sql.unsafe(`drop database if exists ${name} with (force)`);
  await database.sql`drop role if exists plain_owner`;
});

it('the owner of the database migrates and grants without being a superuser, and only creates roles if it may', async () => {
  const { sql: admin } = database;
  await admin`create role plain_owner login`;
  await admin.unsafe(`create database ${name} owner plain_owner`);
  const address = `plain_owner:none@${database.address}`;
  const sql = connect({ address, database: name, max: 1 });
  try {
    expect([await isSuperuser(sql), await mayCreateRoles(sql)]).toEqual([false, false]);
    // as `cairn database roles` does on a new database
    expect(await applyGrants(sql)).toEqual({ unlisted: [] });
    await migrate(sql);
    await installQueue(address, { database: name });
    expect(await applyGrants(sql)).toEqual({ unlisted: [] });
    const [granted] = await sql`
      select has_table_privilege('cairn_site', 'users', 'update') as writes,
        has_table_privilege('cairn_site', 'migrations', 'update') as migrates,
        has_table_privilege('cairn_site', 'pgboss.job', 'insert') as enqueues,
        has_database_privilege('cairn_site', current_database(), 'temporary') as temporary`;
    expect(granted).toEqual({ writes: true, migrates: false, enqueues: true, temporary: false });
    await expect(createRoles(sql, randomPasswords())).rejects.toThrow('permission denied');
  } finally {
    await sql.end();
  }
});

it('a role that may create roles and is no superuser makes them', async () => {
  const { sql: admin, address, name: database_name } = database;
  await admin`create role role_maker login createrole`;
  const sql = connect({ address: `role_maker:none@${address}`, database: database_name, max: 1 });
  try {
    expect(await mayCreateRoles(sql)).toBe(true);
    await admin`alter role cairn_site rename to cairn_site_before`;
    await admin`alter role cairn_plane rename to cairn_plane_before`;
    await createRoles(sql, randomPasswords());
    await createRoles(sql, randomPasswords());
    const made =
      await admin`select rolname from pg_roles where rolname in ('cairn_site', 'cairn_plane') and rolcanlogin`;
    expect(made).toHaveLength(2);
  } finally {
    await sql.end();
    await admin`drop role if exists cairn_site, cairn_plane`;
    await admin`alter role cairn_site_before rename to cairn_site`;
    await admin`alter role cairn_plane_before rename to cairn_plane`;
  }
});
