import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const whole = (least: number, most: number, fallback: number) =>
  z.coerce
    .number()
    .int()
    .min(least)
    .max(most)
    .default(fallback)
    .describe(`a whole number from ${least} to ${most}`);
const bytes = (fallback: number) => whole(1, 2 ** 40, fallback);
const address = z
  .url({ protocol: /^https?$/ })
  .transform((text) => text.replace(/\/+$/, ''))
  .describe('an address that begins with http:// or https://');
const choice = <const T extends [string, ...string[]]>(...values: T) =>
  z.enum(values).describe(`one of ${values.join(', ')}`);

/** Whether `text` is a list of addresses, ranges and the names proxy-addr knows. */
const isProxyList = (text: string): boolean =>
  text
    .split(',')
    .map((part) => part.trim())
    .every((part) =>
      part === '' || ['loopback', 'linklocal', 'uniquelocal'].includes(part) || part.includes('/')
        ? !part.includes('/') || ipaddr.isValidCIDR(part)
        : ipaddr.isValid(part),
    );

/** Every setting with its default and, in words, what is allowed; the README's table is this list. */
export const shape = z.object({
  PORT: whole(0, 65535, 4321),
  HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/)
    .default('127.0.0.1')
    .describe('an address or name of this machine'),
  DATA_DIR: z
    .string()
    .regex(/^[^\0]+$/)
    .default('.data')
    .transform((path) => resolve(path))
    .describe('a folder'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('an address that begins with postgres://'),
  DATABASE_SOCKET: z.string().startsWith('/').optional().describe('the folder of a unix socket of Postgres'),
  SITE_URL: address.optional(),
  CDN_URL: address.optional(),
  CONTROL_URL: z
    .string()
    .regex(/^(unix:\/.+|https?:\/\/.+)$/)
    .optional()
    .describe('unix:/path/to/socket or an http address'),
  SEED: choice('demo', 'none').optional(),
  RATE_LIMIT_PER_MINUTE: whole(0, 1_000_000, 300),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList)
    .default('')
    .describe('addresses or ranges with commas between, or loopback, linklocal, uniquelocal'),
  LOG_LEVEL: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  METRICS: choice('loopback', 'all', 'off').default('loopback'),
  MAX_FILE_BYTES: bytes(500 * 1024 * 1024),
  UPLOAD_MIN_BYTES_PER_SECOND: bytes(1024),
  PAGE_STORE_BYTES: bytes(32 * 1024 * 1024),
  PURGE_URL: address.optional(),
  STATUS_URL: address.optional(),
  CHAT_URL: address.optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|[^\s@:/]+@[^\s@:/]+|https:\/\/\S+|tel:\+[\d-]+)$/)
    .transform((text) => (/^(mailto|https|tel):/.test(text) ? text : `mailto:${text}`))
    .optional()
    .describe('an e-mail address, or an address that begins with https://, mailto: or tel:+'),
  STAGING: choice('on', 'off').default('off'),
  SEARCH_ENGINE: choice('embedded', 'postgres', 'opensearch').default('embedded'),
  SEARCH_URL: address.optional(),
});

type Parsed = z.output<typeof shape>;
export interface Settings extends Omit<Parsed, 'SITE_URL' | 'CDN_URL' | 'SEED' | 'SECURITY_CONTACT'> {
  /** The address people type, without a slash at its end. */
  SITE_URL: string;
  /** Where user content is served from; SITE_URL unless set. */
  CDN_URL: string;
  SEED: 'demo' | 'none';
  /** Whom to tell of a hole: security@ the host of SITE_URL unless set. Source: RFC 9116. */
  SECURITY_CONTACT: string;
  /** Whether a person chose SEED, which alone allows demo accounts on a public address. */
  seedChosen: boolean;
}

/** A setting that cannot be used: one line per variable, meant for the person who starts the product. */
export class SettingError extends Error {}

const loopback = /^(127\.|::1$|\[::1\]$|localhost$)/;

/** Whether only this machine can reach what listens on `host`. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** How a browser on this machine names `host`. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '[::]') return 'localhost';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** A host as mail addresses name it: addresses of machines stand in brackets. Source: RFC 5321 §4.1.3. */
const mailHost = (host: string): string => {
  const bare = host.replace(/[[\]]/g, '');
  if (ipaddr.IPv4.isValid(bare)) return `[${bare}]`;
  return ipaddr.IPv6.isValid(bare) ? `[IPv6:${bare}]` : bare;
};

/** `value` without what stands before an @: addresses may hold passwords. */
const shown = (value: unknown): string => String(value).replace(/\/\/[^/]*@/, '//...@');

/**
 * Parses the environment once. Throws `SettingError` with a line per wrong variable: its name, its value and what is
 * allowed. Empty values count as absent.
 */
export function parseSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = shape.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0]) as keyof typeof shape.shape));
    const line = (name: keyof typeof shape.shape) =>
      `${name}=${shown(given[name])} is not allowed: use ${allowed(name)}.`;
    throw new SettingError([...wrong].map(line).join('\n'));
  }
  const { SITE_URL, CDN_URL, SEED, SECURITY_CONTACT, ...rest } = parsed.data;
  if (rest.SEARCH_ENGINE === 'opensearch' && !rest.SEARCH_URL)
    throw new SettingError(`SEARCH_ENGINE=opensearch needs SEARCH_URL: use ${allowed('SEARCH_URL')}.`);
  const site = SITE_URL ?? `http://${nameOf(rest.HOST)}:${rest.PORT}`;
  return {
    ...rest,
    SITE_URL: site,
    CDN_URL: CDN_URL ?? site,
    SECURITY_CONTACT: SECURITY_CONTACT ?? `mailto:security@${mailHost(new URL(site).hostname)}`,
    SEED: SEED ?? (isLoopback(rest.HOST) ? 'demo' : 'none'),
    seedChosen: SEED !== undefined,
  };
}

/** What setting `name` may be, in words. */
export function allowed(name: keyof typeof shape.shape): string {
  const field = shape.shape[name] as z.ZodType & { unwrap?: () => z.ZodType };
  return field.description ?? field.unwrap?.().description ?? 'another value';
}

let current: Settings | undefined;

/** The settings of this process, parsed from its environment at the first call. */
export const settings = (): Settings => {
  current ??= parseSettings(process.env);
  return current;
};

/** What `connect` needs to reach the database of this installation, or null when nobody named one. */
export const databaseAddress = ({ DATABASE_URL, DATABASE_SOCKET }: Settings): string | null =>
  DATABASE_URL ?? DATABASE_SOCKET ?? null;
