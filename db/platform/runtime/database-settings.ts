import { z } from 'zod';
import { socketConnection } from '../postgres/connection.ts';

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** An address of Postgres for the role of one kind of process (`db/platform/postgres/roles`). */
const roleUrl = (role: 'cairn_site' | 'cairn_plane') =>
  postgresUrl
    .refine((url) => new URL(url).username === role)
    .optional()
    .describe(`an address that begins with postgres://${role}:`);

/** Where Postgres is, and for whom. */
export const databaseSettings = {
  DATABASE_URL: postgresUrl.optional().describe('an address that begins with postgres://'),
  /** With these, DATABASE_URL is for the owner: `npm start` gives each process its own, `migrate` gives the roles these passwords. */
  DATABASE_URL_SITE: roleUrl('cairn_site'),
  DATABASE_URL_PLANE: roleUrl('cairn_plane'),
  /** Set by the supervisor: the folder, or `role:password@` and the folder. */
  DATABASE_SOCKET: z
    .string()
    .refine((address) => socketConnection(address) !== null)
    .optional()
    .describe('the folder of a unix socket of Postgres'),
};

interface Given {
  DATABASE_URL?: string | undefined;
  DATABASE_URL_SITE?: string | undefined;
  DATABASE_URL_PLANE?: string | undefined;
}

/** Why these addresses do not fit together, or null. */
export function whyNotDatabase({
  DATABASE_URL,
  DATABASE_URL_SITE,
  DATABASE_URL_PLANE,
}: Given): string | null {
  if (!DATABASE_URL_SITE && !DATABASE_URL_PLANE) return null;
  if (DATABASE_URL && DATABASE_URL_SITE && DATABASE_URL_PLANE) return null;
  return 'DATABASE_URL_SITE and DATABASE_URL_PLANE go together, and need DATABASE_URL for the owner of the database.';
}

/** Connection parameters of the database for `connect`, or null when none is configured. */
export const databaseAddress = ({
  DATABASE_URL,
  DATABASE_SOCKET,
}: {
  DATABASE_URL?: string | undefined;
  DATABASE_SOCKET?: string | undefined;
}): string | null => DATABASE_URL ?? DATABASE_SOCKET ?? null;
