import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

const bytes = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const address = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Every setting, with its default; the README's table is this list. */
const shape = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4321),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data').transform((path) => (isAbsolute(path) ? path : resolve(path))),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  SITE_URL: address.optional(),
  CDN_URL: address.optional(),
  CONTROL_URL: z.string().optional(),
  SEED: z.enum(['demo', 'none']).optional(),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(300),
  TRUST_PROXY: z.string().default(''),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS: z.enum(['loopback', 'all', 'off']).default('loopback'),
  MAX_FILE_BYTES: bytes(500 * 1024 * 1024),
  UPLOAD_MIN_BYTES_PER_SECOND: bytes(1024),
  PAGE_STORE_BYTES: bytes(64 * 1024 * 1024),
  PURGE_URL: address.optional(),
});

type Parsed = z.output<typeof shape>;
export interface Settings extends Omit<Parsed, 'SITE_URL' | 'CDN_URL' | 'SEED'> {
  /** The address people type, without a slash at its end. */
  SITE_URL: string;
  /** Where user content is served from; SITE_URL unless set. */
  CDN_URL: string;
  SEED: 'demo' | 'none';
  /** Whether a person chose SEED=demo, which alone allows demo accounts on a public address. */
  seedChosen: boolean;
}

/** A setting that cannot be used: one line, meant for the person who starts the product. */
export class SettingError extends Error {}

const loopback = /^(127\.|::1$|\[::1\]$|localhost$)/;

/**
 * Parses the environment once. Throws `SettingError` with a line per wrong variable: its name, its value and what is
 * allowed. Empty values count as absent.
 */
export function parseSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = shape.safeParse(given);
  if (!parsed.success) {
    throw new SettingError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}=${given[String(path[0])]}: ${message}`).join('\n'),
    );
  }
  const { SITE_URL, CDN_URL, SEED, ...rest } = parsed.data;
  const open = !loopback.test(rest.HOST);
  const host = rest.HOST.includes(':') && !rest.HOST.startsWith('[') ? `[${rest.HOST}]` : rest.HOST;
  const site = SITE_URL ?? `http://${host}:${rest.PORT}`;
  return {
    ...rest,
    SITE_URL: site,
    CDN_URL: CDN_URL ?? site,
    SEED: SEED ?? (open ? 'none' : 'demo'),
    seedChosen: SEED !== undefined,
  };
}

let current: Settings | undefined;

/** The settings of this process, parsed from its environment at the first call. */
export const settings = (): Settings => {
  current ??= parseSettings(process.env);
  return current;
};
