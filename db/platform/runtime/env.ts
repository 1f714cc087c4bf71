import ipaddr from 'ipaddr.js';
import { mailHost, nameOf } from './host-names.ts';
import { whyNotAnalytics } from './settings/catalogue.ts';
import { whyNotDatabase, whyNotSearch } from './settings/data.ts';
import { demo_sftp_port, whyNotBackups, whyNotNames, whyNotPlanes } from './settings/hosting.ts';
import { whyNotStaffNotices } from './settings/mail.ts';
import { type PayoutName, whyNotPayouts } from './settings/payouts.ts';
import { movesNoMoney, type PaymentName, whyNotPayments } from './settings/selling.ts';
import { whyNotProviders } from './settings/sign-in.ts';
import { isAppOffered } from './settings/site.ts';
import { type ParsedSettings, type SettingName, settingNames, settingOf } from './settings/table.ts';

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
export interface Settings extends Omit<ParsedSettings, Derived> {
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
  SERVER_KIND: NonNullable<ParsedSettings['SERVER_KIND']>;
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

/** `value` without what precedes an @, because addresses may contain passwords; of other secrets nothing. */
const quotedValue = (value: string, secret: boolean): string => {
  const shown = value.replace(/\/\/[^/]*@/, '//...@');
  return secret && shown === value ? '...' : shown;
};

/**
 * Parses the environment. Throws `SettingError` with a line per invalid variable: name, value and allowed values.
 * Empty values count as absent.
 */
export function parseSettings(env: Record<string, string | undefined>): Settings {
  const { SITE_URL, CDN_URL, SECURITY_CONTACT: security, ...rest } = parseRows(env);
  const unfinished =
    whyNotSearch(rest) ??
    whyNotDatabase(rest) ??
    whyNotBackups(rest) ??
    whyNotPlanes(rest) ??
    whyNotProviders(rest) ??
    whyNotStaffNotices(rest) ??
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

/** Each variable by its row of the table. */
function parseRows(env: Record<string, string | undefined>): ParsedSettings {
  const values: Partial<Record<SettingName, unknown>> = {};
  const wrong: string[] = [];
  for (const name of settingNames) {
    const { shape, default: fallback, secret = false } = settingOf(name);
    const text = env[name] || fallback;
    if (text === undefined) continue;
    const parsed = shape.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else wrong.push(`${name}=${quotedValue(text, secret)} is not allowed: use ${shape.description}.`);
  }
  if (wrong.length > 0) throw new SettingError(wrong.join('\n'));
  return values as ParsedSettings;
}
