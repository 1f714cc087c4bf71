import { resolve } from 'node:path';
import { z } from 'zod';
import { socketConnection } from '../../postgres/connection.ts';
import { address, bytes, integerBetween, oneOf, path, type Setting } from './shapes.ts';

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** An address of Postgres for the role of one kind of process (`db/platform/postgres/roles`). */
const roleUrl = (role: 'cairn_site' | 'cairn_plane') =>
  postgresUrl
    .refine((url) => new URL(url).username === role)
    .describe(`an address that begins with postgres://${role}:`);

/** Where data is, what is in it at first, and how much of it is kept ready. */
export const dataSettings = {
  DATA_DIR: { shape: path.transform((folder) => resolve(folder)).describe('a folder'), default: '.data' },
  DATABASE_URL: { shape: postgresUrl.describe('an address that begins with postgres://'), secret: true },
  /** With these, DATABASE_URL is for the owner: `npm start` gives each process its own, `migrate` gives the roles these passwords. */
  DATABASE_URL_SITE: { shape: roleUrl('cairn_site'), secret: true },
  DATABASE_URL_PLANE: { shape: roleUrl('cairn_plane'), secret: true },
  /** Set by the supervisor: the folder, or `role:password@` and the folder. */
  DATABASE_SOCKET: {
    shape: z
      .string()
      .refine((text) => socketConnection(text) !== null)
      .describe('the folder of a unix socket of Postgres'),
    secret: true,
  },
  SEED: { shape: oneOf('demo', 'none') },
  DEMO_GALLERIES: { shape: integerBetween(0, 300), default: '300' },
  MAX_FILE_BYTES: { shape: bytes, default: '524288000' },
  UPLOAD_MIN_BYTES_PER_SECOND: { shape: bytes, default: '1024' },
  PAGE_STORE_BYTES: { shape: bytes, default: '16777216' },
  API_STORE_BYTES: { shape: bytes, default: '25165824' },
  PAGE_STALE_SECONDS: { shape: integerBetween(0, 86_400), default: '600' },
} satisfies Record<string, Setting>;

/** Who answers searches. */
export const searchSettings = {
  SEARCH_ENGINE: { shape: oneOf('embedded', 'postgres', 'opensearch'), default: 'embedded' },
  SEARCH_URL: { shape: address, secret: true },
} satisfies Record<string, Setting>;

/** Why no search with these settings, or null. */
export const whyNotSearch = (given: {
  SEARCH_ENGINE: string;
  SEARCH_URL?: string | undefined;
}): string | null =>
  given.SEARCH_ENGINE === 'opensearch' && !given.SEARCH_URL
    ? `SEARCH_ENGINE=opensearch needs SEARCH_URL: use ${address.description}.`
    : null;

interface DatabaseAddresses {
  DATABASE_URL?: string | undefined;
  DATABASE_URL_SITE?: string | undefined;
  DATABASE_URL_PLANE?: string | undefined;
}

/** Why these addresses do not fit together, or null. */
export function whyNotDatabase({
  DATABASE_URL,
  DATABASE_URL_SITE,
  DATABASE_URL_PLANE,
}: DatabaseAddresses): string | null {
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
