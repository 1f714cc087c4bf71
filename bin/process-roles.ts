import { socketAddress } from '#db/platform/postgres/connection.ts';
import { applyGrants } from '#db/platform/postgres/roles/apply.ts';
import {
  createRoles,
  mayCreateRoles,
  type RolePasswords,
  randomPasswords,
} from '#db/platform/postgres/roles/create.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { settingNames, settingOf } from '#db/platform/runtime/settings/table.ts';

/** Every secret setting, empty: for a process that needs none of them, and must not reach the database. */
export const no_secrets: Readonly<Record<string, string>> = Object.fromEntries(
  settingNames.filter((name) => settingOf(name).secret).map((name) => [name, '']),
);

/** Settings that name the database, as a process gets them instead of the owner's; empty ones count as absent. */
export type DatabaseEnv = Record<
  'DATABASE_URL' | 'DATABASE_URL_SITE' | 'DATABASE_URL_PLANE' | 'DATABASE_SOCKET',
  string
>;

export interface ProcessRoles {
  passwords: RolePasswords;
  site: DatabaseEnv;
  plane: DatabaseEnv;
}

const no_database: DatabaseEnv = {
  DATABASE_URL: '',
  DATABASE_URL_SITE: '',
  DATABASE_URL_PLANE: '',
  DATABASE_SOCKET: '',
};

/** The roles of DATABASE_URL_SITE and DATABASE_URL_PLANE, or null: then all processes share that of DATABASE_URL. */
export function configuredRoles({ DATABASE_URL_SITE, DATABASE_URL_PLANE }: Settings): ProcessRoles | null {
  if (!DATABASE_URL_SITE || !DATABASE_URL_PLANE) return null;
  const passwordOf = (url: string) => decodeURIComponent(new URL(url).password);
  return {
    passwords: { cairn_site: passwordOf(DATABASE_URL_SITE), cairn_plane: passwordOf(DATABASE_URL_PLANE) },
    site: { ...no_database, DATABASE_URL: DATABASE_URL_SITE },
    plane: { ...no_database, DATABASE_URL: DATABASE_URL_PLANE },
  };
}

/** The roles of the embedded database, with passwords for this start only: no file has them. */
export function embeddedRoles(folder: string): ProcessRoles {
  const passwords = randomPasswords();
  const envOf = (role: keyof RolePasswords): DatabaseEnv => ({
    ...no_database,
    DATABASE_SOCKET: socketAddress(folder, role, passwords[role]),
  });
  return { passwords, site: envOf('cairn_site'), plane: envOf('cairn_plane') };
}

/**
 * Gives the roles these passwords, and them and roles that exist otherwise the privileges of this code. A role that may create no
 * roles leaves passwords as they are: an administrator has set them.
 */
export async function prepareRoles(sql: Pool, passwords: RolePasswords | null): Promise<void> {
  if (passwords && (await mayCreateRoles(sql))) await createRoles(sql, passwords);
  await applyGrants(sql);
}

/** What a start says when all processes share a superuser. */
export const superuser_warning =
  'DATABASE_URL names a superuser of Postgres, which a fault in a query would make the ruler of the whole server. Give the processes roles of their own: npm run -s cairn -- database roles';
