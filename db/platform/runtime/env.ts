import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { analyticsSettings, whyNotAnalytics } from './analytics-settings.ts';
import { appSettings, isAppOffered } from './app-settings.ts';
import { buyingSettings } from './buying-settings.ts';
import { databaseSettings, whyNotDatabase } from './database-settings.ts';
import { gameSettings } from './game-settings.ts';
import { mailHost, nameOf } from './host-names.ts';
import { whyNotBackups, whyNotPlanes } from './hosting-settings.ts';
import { invoiceSettings } from './invoice-settings.ts';
import type { KindId } from './kind-ids.ts';
import { namesSettings, whyNotNames } from './names-settings.ts';
import { movesNoMoney, type PaymentName, paymentSettings, whyNotPayments } from './payment-settings.ts';
import { payoutProviderSettings, whyNotPayouts } from './payout-provider-settings.ts';
import { type PayoutName, payoutSettings } from './payout-settings.ts';
import { providerSettings, whyNotProviders } from './provider-settings.ts';
import {
  address,
  commaList,
  integerBetween,
  ipList,
  isControlUrl,
  isPortRange,
  isProxyList,
  line,
  oneOf,
} from './setting-shapes.ts';
import { demo_sftp_port, sftpSettings } from './sftp-settings.ts';
import { staffSettings, whyNotStaffSettings } from './staff-settings.ts';

const bytes = (fallback: number) => integerBetween(1, 2 ** 40, fallback);

/**
 * Every setting with its default and a description of allowed values. A test compares the tables of the operators'
 * handbook with this list (`bin/handbooks.test.ts`).
 */
export const settingsSchema = z.object({
  PORT: integerBetween(0, 65535, 4321),
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
  ...databaseSettings,
  SITE_URL: address.optional(),
  CDN_URL: address.optional(),
  CONTROL_URL: commaList
    .refine((parts) => parts.length <= 20 && parts.every(isControlUrl))
    .describe('unix:/path/to/socket or an http address; several with commas between'),
  CONTROL_PLANES: integerBetween(1, 4, 1),
  PLANE_URL: z.string().refine(isControlUrl).optional().describe('unix:/path/to/socket or an http address'),
  SEED: oneOf('demo', 'none').optional(),
  DEMO_GALLERIES: integerBetween(0, 300, 300),
  RATE_LIMIT_PER_MINUTE: integerBetween(0, 1_000_000, 300),
  RATE_LIMIT_KEY: z.string().min(16).max(200).optional().describe('at least 16 characters'),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList)
    .default('')
    .describe('addresses or ranges with commas between, or loopback, linklocal, uniquelocal'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  LOG_CLIENTS: oneOf('on', 'off').default('off'),
  METRICS: oneOf('loopback', 'all', 'off').default('loopback'),
  MAX_FILE_BYTES: bytes(500 * 1024 * 1024),
  UPLOAD_MIN_BYTES_PER_SECOND: bytes(1024),
  PAGE_STORE_BYTES: bytes(16 * 1024 * 1024),
  API_STORE_BYTES: bytes(24 * 1024 * 1024),
  PAGE_STALE_SECONDS: integerBetween(0, 86_400, 600),
  PURGE_URL: address.optional(),
  ...analyticsSettings,
  ...gameSettings,
  ADMIN_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/)
    .optional()
    .describe('16 to 256 letters, digits and signs without spaces'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('an address such as smtps://user:password@mail.example.org:465'),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^\p{Cc}<>@,;"]{0,100}<[^\s@<>,;"]+@[^\s@<>,;"]+>|[^\s@<>,;"]+@[^\s@<>,;"]+)$/u)
    .optional()
    .describe('an email address, or a name and an address as in Cairn <mail@example.org>'),
  CAPTCHA_URL: address.optional(),
  CAPTCHA_SECRET: line.optional(),
  CAPTCHA_SITE_KEY: line.optional(),
  CAPTCHA_SCRIPT: address.optional(),
  STATUS_URL: address.optional(),
  CHAT_URL: address.optional(),
  SOURCE_URL: address.optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|[^\s@:/]+@[^\s@:/]+|https:\/\/\S+|tel:\+[\d-]+)$/)
    .transform((text) => (/^(mailto|https|tel):/.test(text) ? text : `mailto:${text}`))
    .optional()
    .describe('an email address, or an address that begins with https://, mailto: or tel:+'),
  GAME_NAME: line.max(40).default('Minecraft').describe('a text of up to 40 characters on one line'),
  OPERATOR_NAME: line.optional(),
  OPERATOR_ADDRESS: line.optional(),
  OPERATOR_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|[^\s@:/]+@[^\s@:/]+|https:\/\/\S+)$/)
    .transform((text) => (/^(mailto|https):/.test(text) ? text : `mailto:${text}`))
    .optional()
    .describe('an email address, or an address that begins with https://'),
  SUPPORT_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|[^\s@:/]+@[^\s@:/]+|https:\/\/\S+)$/)
    .transform((text) => (/^(mailto|https):/.test(text) ? text : `mailto:${text}`))
    .optional()
    .describe('an email address, or an address that begins with https://'),
  OPERATOR_COUNTRY: line.optional(),
  LEGAL_DATE: z.iso.date().optional().describe('a date such as 2026-10-01'),
  STAGING: oneOf('on', 'off').default('off'),
  HSTS_SUBDOMAINS: oneOf('on', 'off').default('off'),
  ...appSettings,
  ...providerSettings,
  ...staffSettings,
  SEARCH_ENGINE: oneOf('embedded', 'postgres', 'opensearch').default('embedded'),
  SEARCH_URL: address.optional(),
  HOSTING: oneOf('on', 'off').default('on'),
  BACKUP_ENGINE: oneOf('archive', 'restic').default('archive'),
  BACKUP_TARGET: oneOf('auto', 'node', 'platform', 's3').default('auto'),
  NODE_ADDRESS: z
    .string()
    .regex(/^[\w.:-]{1,253}$/)
    .optional()
    .describe('the address or host name that players use to reach this machine'),
  AGENT_PORTS: z
    .string()
    .refine(isPortRange)
    .default('25600-25999')
    .describe('two ports from 1024 to 65535 with a hyphen between'),
  AGENT_DISK: oneOf('auto', 'measured').default('auto'),
  ...sftpSettings,
  ...buyingSettings,
  ...namesSettings,
  DNS_SERVERS: ipList,
  ...paymentSettings,
  ...payoutSettings,
  ...payoutProviderSettings,
  ...invoiceSettings,
  OVERCOMMIT: z.coerce.number().min(0.1).max(100).optional().describe('a number from 0.1 to 100'),
});

type Parsed = z.output<typeof settingsSchema>;
type Derived =
  | 'SITE_URL'
  | 'CDN_URL'
  | 'SEED'
  | 'SECURITY_CONTACT'
  | 'MAIL_FROM'
  | 'SERVER_KIND'
  | 'NODE_ADDRESS'
  | 'PAYMENTS'
  | 'PAYOUTS'
  | 'OVERCOMMIT';
export interface Settings extends Omit<Parsed, Derived> {
  /** Public address of the site, without a trailing slash; `localhost` on a developer's machine. */
  SITE_URL: string;
  /** Origin that serves user content; SITE_URL unless set. */
  CDN_URL: string;
  /** Host of SITE_URL, with its port, for tools that ask for a host. */
  SITE_HOST: string;
  /** Whether an app is offered: at least one of the addresses for Windows, Mac and Linux is set. */
  APP: 'on' | 'off';
  SEED: 'demo' | 'none';
  /** Sender of mails: no-reply@ the host of SITE_URL unless set. */
  MAIL_FROM: string;
  /** Contact for security reports: security@ the host of SITE_URL unless set. Source: RFC 9116. */
  SECURITY_CONTACT: string;
  /** SECURITY_CONTACT as people read it: an e-mail address or phone number without its scheme. */
  SECURITY_CONTACT_TEXT: string;
  /** The same for OPERATOR_CONTACT. */
  OPERATOR_CONTACT_TEXT: string | undefined;
  /** Where "contact support" leads: SUPPORT_CONTACT, else CHAT_URL. Without one nothing tells anybody to ask support. */
  SUPPORT_LINK: string | undefined;
  /** The same as people read it. */
  SUPPORT_TEXT: string | undefined;
  /** Kind of new game servers: `local` (needs no registry) with demo content, else `itzg`. */
  SERVER_KIND: KindId;
  /** Address players use to join servers on this machine. With a loopback address only this machine can join. */
  NODE_ADDRESS: string;
  /** How many times the capacity of this machine may be sold; 8 with demo content, else 1. */
  OVERCOMMIT: number;
  /** Payment processor: `test` moves no money, for demo installations; `stripe` sells; `off` disables sales. */
  PAYMENTS: PaymentName;
  /** Providers that pay creators; none when it is off. */
  PAYOUTS: PayoutName[];
  /** Whether no money moves: the test processor, or Stripe with test keys. */
  PAYMENTS_TEST: 'on' | 'off';
  /** Whether the operator set SEED, which alone allows demo accounts on an open installation (`isOpen`). */
  seedChosen: boolean;
}

/** Invalid settings: one line per variable. */
export class SettingError extends Error {}

/** Whether only this machine can reach what listens on `host` (an address, or a host name as in a URL). */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback');
}

/**
 * Whether other machines can reach the installation: it listens on a non-loopback address, has a public address, or is
 * behind a proxy. Such installations get no accounts with known passwords and no free servers.
 */
export function isOpen({ HOST, SITE_URL, TRUST_PROXY }: OpenSettings): boolean {
  if (!isLoopback(HOST) || TRUST_PROXY.split(',').some((part) => part.trim() !== '')) return true;
  return SITE_URL !== undefined && !isLoopback(new URL(SITE_URL).hostname);
}
type OpenSettings = Pick<Settings, 'HOST' | 'TRUST_PROXY'> & { SITE_URL?: string | undefined };

/** The address of a contact without the scheme of e-mail and phone. */
const contactText = (address: string): string => address.replace(/^(mailto|tel):/, '');

/** `value` without what precedes an @, because addresses may contain passwords. */
const quotedValue = (value: unknown): string => String(value).replace(/\/\/[^/]*@/, '//...@');

/**
 * Parses the environment. Throws `SettingError` with a line per invalid variable: name, value and allowed values.
 * Empty values count as absent.
 */
export function parseSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(
      parsed.error.issues.map(({ path }) => String(path[0]) as keyof typeof settingsSchema.shape),
    );
    const line = (name: keyof typeof settingsSchema.shape) =>
      `${name}=${quotedValue(given[name])} is not allowed: use ${allowed(name)}.`;
    throw new SettingError([...wrong].map(line).join('\n'));
  }
  const { SITE_URL, CDN_URL, SECURITY_CONTACT: security, ...rest } = parsed.data;
  if (rest.SEARCH_ENGINE === 'opensearch' && !rest.SEARCH_URL)
    throw new SettingError(`SEARCH_ENGINE=opensearch needs SEARCH_URL: use ${allowed('SEARCH_URL')}.`);
  const unfinished =
    whyNotDatabase(rest) ??
    whyNotBackups(rest) ??
    whyNotPlanes(rest) ??
    whyNotProviders(rest) ??
    whyNotStaffSettings(rest) ??
    whyNotNames(rest) ??
    whyNotAnalytics(rest) ??
    whyNotPayments(rest) ??
    whyNotPayouts(rest.PAYOUTS ?? [], rest);
  if (unfinished) throw new SettingError(unfinished);
  // browsers give passkeys to names only, and a page of one name no pictures, cookies or sockets of another
  const host = isLoopback(rest.HOST) ? 'localhost' : nameOf(rest.HOST);
  const site = SITE_URL ?? `http://${host}:${rest.PORT}`;
  const open = isOpen({ ...rest, SITE_URL });
  const seed = rest.SEED ?? (open ? 'none' : 'demo');
  const payments = rest.PAYMENTS ?? (seed === 'demo' || !open ? 'test' : 'off');
  const SECURITY_CONTACT = security ?? `mailto:security@${mailHost(new URL(site).hostname)}`;
  const support = rest.SUPPORT_CONTACT ?? rest.CHAT_URL;
  const MAIL_FROM = rest.MAIL_FROM ?? `Cairn <no-reply@${mailHost(new URL(site).hostname)}>`;
  const name = new URL(isLoopback(rest.HOST) ? `http://${nameOf(rest.HOST)}` : site).hostname;
  return {
    ...rest,
    SITE_URL: site,
    CDN_URL: CDN_URL ?? site,
    SITE_HOST: new URL(site).host,
    APP: isAppOffered(rest) ? 'on' : 'off',
    MAIL_FROM,
    SECURITY_CONTACT,
    SECURITY_CONTACT_TEXT: contactText(SECURITY_CONTACT),
    SUPPORT_LINK: support,
    SUPPORT_TEXT: support && contactText(support),
    OPERATOR_CONTACT_TEXT: rest.OPERATOR_CONTACT && contactText(rest.OPERATOR_CONTACT),
    SEED: seed,
    seedChosen: rest.SEED !== undefined,
    SERVER_KIND: rest.SERVER_KIND ?? (seed === 'demo' ? 'local' : 'itzg'),
    NODE_ADDRESS: rest.NODE_ADDRESS ?? name.replace(/^\[|\]$/g, ''),
    SFTP_PORT: rest.SFTP_PORT ?? (seed === 'demo' && !open ? demo_sftp_port : undefined),
    PAYMENTS: payments,
    PAYOUTS: rest.PAYOUTS ?? (seed === 'demo' || !open ? ['test'] : []),
    PAYMENTS_TEST: movesNoMoney(payments, rest) ? 'on' : 'off',
    OVERCOMMIT: rest.OVERCOMMIT ?? (seed === 'demo' ? 8 : 1),
  };
}

/** Description of the allowed values of setting `name`. */
export function allowed(name: keyof typeof settingsSchema.shape): string {
  const field = settingsSchema.shape[name] as z.ZodType & { unwrap?: () => z.ZodType };
  return field.description ?? field.unwrap?.().description ?? 'another value';
}
