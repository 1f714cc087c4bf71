import type { PendingQuery, Row } from 'postgres';
import type { Db, Pool } from '../sql.ts';
import {
  type DatabaseRole,
  databaseRoles,
  formerGrants,
  functionGrants,
  type PrivilegeLetter,
  privileges,
  queueGrants,
  sequenceGrants,
  tableGrants,
} from './grants.ts';

/** One privilege of one role on a table, or on a sequence or function of the schema `public`. */
interface Grant {
  kind: 'table' | 'sequence' | 'function';
  /** That of a table with its schema. */
  name: string;
  role: DatabaseRole;
  privilege: string;
}

const grantsOfTables = { ...tableGrants, ...formerGrants };

const keyOf = ({ kind, name, role, privilege }: Grant): string => `${kind} ${name} ${role} ${privilege}`;

/**
 * Makes the privileges of the roles what `grants.ts` says: grants what lacks, and revokes what is too much. The caller owns the
 * tables. Does nothing for roles that do not exist. Concurrent processes wait for each other. Gives the tables that
 * `grants.ts` does not name: nobody may use them.
 */
export const applyGrants = async (sql: Pool): Promise<{ unlisted: string[] }> =>
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('cairn.grants'))`;
    return await grantAll(tx);
  });

async function grantAll(db: Db): Promise<{ unlisted: string[] }> {
  const roles = await existingRoles(db);
  if (roles.length === 0) return { unlisted: [] };
  await restrictDatabase(db, roles);
  const tables = await existingTables(db);
  const wanted = await wantedGrants(db, tables, roles);
  const given = await givenGrants(db, roles);
  await change(db, 'grant', missingIn(given, wanted));
  await change(db, 'revoke', missingIn(wanted, given));
  const listed = (name: string) => !name.startsWith('public.') || tableOf(name) in grantsOfTables;
  return {
    unlisted: tables.filter(({ name, partition }) => !partition && !listed(name)).map(({ name }) => name),
  };
}

async function existingRoles(db: Db): Promise<DatabaseRole[]> {
  const found = await db<{ name: DatabaseRole }[]>`
    select rolname as name from pg_roles where rolname = any(${databaseRoles as unknown as string[]}) order by 1`;
  return found.map(({ name }) => name);
}

/** Nobody but the owner may create anything; the sharing of revenue needs temporary tables. */
async function restrictDatabase(db: Db, roles: readonly DatabaseRole[]): Promise<void> {
  const [now] = await db<{ database: string; creates: boolean; temporary: boolean; queue: boolean }[]>`
    select current_database() as database, to_regnamespace('pgboss') is not null as queue,
      has_schema_privilege(${roles[0]!}, 'public', 'create') as creates,
      exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
        where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'TEMPORARY') as temporary`;
  if (now!.creates) await db`revoke create on schema public from public`;
  if (now!.temporary) await db`revoke temporary on database ${db(now!.database)} from public`;
  for (const role of roles) {
    await db`grant usage on schema public to ${db(role)}`;
    if (now!.queue) await db`grant usage on schema pgboss to ${db(role)}`;
    await db`grant connect on database ${db(now!.database)} to ${db(role)}`;
    if (role === 'cairn_plane') await db`grant temporary on database ${db(now!.database)} to ${db(role)}`;
  }
}

interface Table {
  /** With its schema. */
  name: string;
  partition: boolean;
}

const tableOf = (name: string): string => name.slice(name.indexOf('.') + 1);

const existingTables = async (db: Db): Promise<Table[]> =>
  await db<Table[]>`
    select n.nspname || '.' || c.relname as name, c.relispartition as partition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v') order by 1`;

async function wantedGrants(
  db: Db,
  tables: readonly Table[],
  roles: readonly DatabaseRole[],
): Promise<Grant[]> {
  const [{ version }] = await db<
    [{ version: number }]
  >`select current_setting('server_version_num')::int as version`;
  // made by migrations, so not there before the first of them
  const made = await existingNames(db);
  const wanted: Grant[] = [];
  for (const role of roles) {
    const at = databaseRoles.indexOf(role) as 0 | 1;
    for (const { name } of tables) {
      const granted = name.startsWith('pgboss.') ? queueGrants(tableOf(name)) : grantsOfTables[tableOf(name)];
      for (const letter of (granted?.[at] ?? '') as Iterable<PrivilegeLetter>)
        if (letter !== 'm' || version >= 170_000)
          wanted.push({ kind: 'table', name, role, privilege: privileges[letter] });
    }
    for (const [name, granted] of Object.entries(sequenceGrants))
      if (granted[at] && made.has(name)) wanted.push({ kind: 'sequence', name, role, privilege: 'usage' });
    for (const [name, granted] of Object.entries(functionGrants))
      if (granted[at] && made.has(name)) wanted.push({ kind: 'function', name, role, privilege: 'execute' });
  }
  return wanted;
}

/** The names of all sequences and functions. */
async function existingNames(db: Db): Promise<Set<string>> {
  const found = await db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
    union select proname from pg_proc where pronamespace = 'public'::regnamespace`;
  return new Set(found.map(({ name }) => name));
}

const givenGrants = async (db: Db, roles: readonly DatabaseRole[]): Promise<Grant[]> =>
  await db<Grant[]>`
    select kind, name, r.rolname as role, lower(a.privilege_type) as privilege
    from (
      select case when c.relkind = 'S' then 'sequence' else 'table' end as kind, c.relacl as acl,
        case when c.relkind = 'S' then c.relname else n.nspname || '.' || c.relname end as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss')
      union all
      select 'function', p.proacl, p.proname from pg_proc p
      where p.pronamespace = 'public'::regnamespace
    ) o, aclexplode(o.acl) a join pg_roles r on r.oid = a.grantee
    where r.rolname = any(${roles as string[]})`;

function missingIn(given: readonly Grant[], wanted: readonly Grant[]): Grant[] {
  const known = new Set(given.map(keyOf));
  return wanted.filter((grant) => !known.has(keyOf(grant)));
}

/** One statement for all tables of a role and a privilege. */
async function change(db: Db, verb: 'grant' | 'revoke', grants: readonly Grant[]): Promise<void> {
  const groups = Map.groupBy(grants, ({ kind, role, privilege }) => `${privilege} ${kind} ${role}`);
  for (const group of groups.values()) {
    const [{ kind, role, privilege }] = group as [Grant];
    const names = group.map(({ name }) => db`${db(name)}`).reduce((all, one) => db`${all}, ${one}`);
    const what = db`${words[privilege]!(db)} on ${words[kind]!(db)} ${names}`;
    await (verb === 'grant' ? db`grant ${what} to ${db(role)}` : db`revoke ${what} from ${db(role)}`);
  }
}

const words: Record<string, (db: Db) => PendingQuery<Row[]>> = {
  table: (db) => db`table`,
  sequence: (db) => db`sequence`,
  function: (db) => db`function`,
  select: (db) => db`select`,
  insert: (db) => db`insert`,
  update: (db) => db`update`,
  delete: (db) => db`delete`,
  truncate: (db) => db`truncate`,
  references: (db) => db`references`,
  trigger: (db) => db`trigger`,
  maintain: (db) => db`maintain`,
  usage: (db) => db`usage`,
  execute: (db) => db`execute`,
};
