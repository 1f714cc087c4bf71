import { describe, expect, it } from 'vitest';
import { isLoopback, isOpen, parseSettings, SettingError } from './env.ts';
import { sftpHost } from './settings/hosting.ts';
import { type SettingName, settingNames, settingOf } from './settings/table.ts';

/** For every setting an invalid value and the expected message. */
const wrong: Record<SettingName, [value: string, said: string]> = {
  PORT: ['http', 'a whole number from 0 to 65535'],
  HOST: ['my host', 'an address or name of this machine'],
  DATA_DIR: ['a\0b', 'a folder'],
  DATABASE_URL: ['mysql://db', 'an address that begins with postgres://'],
  DATABASE_URL_SITE: ['postgres://db/x', 'an address that begins with postgres://cairn_site:'],
  DATABASE_URL_PLANE: ['postgres://db/y', 'an address that begins with postgres://cairn_plane:'],
  DATABASE_SOCKET: ['run', 'the folder of a unix socket of Postgres'],
  SITE_URL: ['example.org', 'an address that begins with http:// or https://'],
  CDN_URL: ['ftp://example.org', 'an address that begins with http:// or https://'],
  CONTROL_URL: ['control', 'unix:/path/to/socket or an http address; several with commas between'],
  CONTROL_PLANES: ['0', 'a whole number from 1 to 4'],
  PLANE_URL: ['plane', 'unix:/path/to/socket or an http address'],
  SEED: ['yes', 'one of demo, none'],
  DEMO_GALLERIES: ['301', 'a whole number from 0 to 300'],
  RATE_LIMIT_PER_MINUTE: ['-1', 'a whole number from 0 to 1000000'],
  RATE_LIMIT_KEY: ['too short', 'at least 16 characters'],
  TRUST_PROXY: ['everybody', 'addresses or ranges with commas between, or loopback, linklocal, uniquelocal'],
  LOG_LEVEL: ['loud', 'one of trace, debug, info, warn, error, fatal, silent'],
  LOG_CLIENTS: ['yes', 'one of on, off'],
  METRICS: ['yes', 'one of loopback, all, off'],
  MAX_FILE_BYTES: ['500MB', 'a whole number from 1 to 1099511627776'],
  UPLOAD_MIN_BYTES_PER_SECOND: ['0', 'a whole number from 1 to 1099511627776'],
  PAGE_STORE_BYTES: ['1.5', 'a whole number from 1 to 1099511627776'],
  API_STORE_BYTES: ['24MB', 'a whole number from 1 to 1099511627776'],
  PAGE_STALE_SECONDS: ['-1', 'a whole number from 0 to 86400'],
  PURGE_URL: ['x', 'an address that begins with http:// or https://'],
  ANALYTICS_ORIGINS: ['https://example.org/page', 'origins such as https://example.org with commas between'],
  ANALYTICS_RECORD_DAYS: ['1', 'a whole number from 2 to 400'],
  ANALYTICS_HOUR_DAYS: ['1', 'a whole number from 2 to 800'],
  ANALYTICS_DAYS: ['-1', 'a whole number from 0 to 36500'],
  ADS: ['yes', 'one of own, off'],
  ADS_DIR: ['a\0b', 'a folder'],
  AD_RATE: ['0.5', 'a whole number from 0 to 100000'],
  AD_DAY_MAX: ['0', 'a whole number from 1 to 100000000'],
  AD_SERVING_FEE: ['-1', 'a whole number from 0 to 1000000'],
  AD_CHECK_FEE: ['0.5', 'a whole number from 0 to 1000000'],
  GAME_VERSIONS_URL: ['launcher', 'an address that begins with http:// or https://'],
  PROFILE_SERVICE_URL: ['mojang', 'an address that begins with http:// or https://'],
  ADMIN_KEY: ['short', '16 to 256 letters, digits and signs without spaces'],
  CAPTCHA_URL: ['captcha.example', 'an address that begins with http:// or https://'],
  CAPTCHA_SECRET: ['a\nb', 'a text of up to 300 characters on one line'],
  CAPTCHA_SITE_KEY: ['a\nb', 'a text of up to 300 characters on one line'],
  CAPTCHA_SCRIPT: ['captcha.js', 'an address that begins with http:// or https://'],
  STATUS_URL: ['status.mods.example', 'an address that begins with http:// or https://'],
  SOURCE_URL: ['git@example.org:cairn', 'an address that begins with http:// or https://'],
  CHAT_URL: ['javascript:alert(1)', 'an address that begins with http:// or https://'],
  SECURITY_CONTACT: [
    'somebody',
    'an email address, or an address that begins with https://, mailto: or tel:+',
  ],
  GAME_NAME: ['x'.repeat(41), 'a text of up to 40 characters on one line'],
  OPERATOR_NAME: ['Cairn\nLtd', 'a text of up to 300 characters on one line'],
  OPERATOR_ADDRESS: ['x'.repeat(301), 'a text of up to 300 characters on one line'],
  OPERATOR_CONTACT: ['javascript:alert(1)', 'an email address, or an address that begins with https://'],
  SUPPORT_CONTACT: ['javascript:alert(1)', 'an email address, or an address that begins with https://'],
  OPERATOR_COUNTRY: ['\t', 'a text of up to 300 characters on one line'],
  LEGAL_DATE: ['1 October 2026', 'a date such as 2026-10-01'],
  STAGING: ['yes', 'one of on, off'],
  HSTS_SUBDOMAINS: ['yes', 'one of on, off'],
  APP_WINDOWS_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_MAC_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_LINUX_DEB_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_LINUX_RPM_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_LINUX_APPIMAGE_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_BETA_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_PACKAGES_URL: ['app.exe', 'an address that begins with http:// or https://'],
  APP_MEMORY_MB: ['150 MB', 'a whole number from 1 to 999999'],
  LAUNCHERS: [
    'A=ftp://a.example',
    'up to 12 of name=address with commas between, such as Name=https://example.org',
  ],
  REGION_PINGS: [
    'Mars=https://a.example',
    'region=address with commas between, such as western-europe=https://ping.example.org/',
  ],
  COUNTRY_HEADER: ['cf country', 'the name of a header, such as CF-IPCountry'],
  GITHUB_CLIENT_ID: ['my app', '1 to 512 letters, digits and signs without spaces'],
  GITHUB_CLIENT_SECRET: ['my secret', '1 to 512 letters, digits and signs without spaces'],
  GITHUB_URL: ['github.example', 'an address that begins with http:// or https://'],
  DISCORD_CLIENT_ID: ['my app', '1 to 512 letters, digits and signs without spaces'],
  DISCORD_CLIENT_SECRET: ['my secret', '1 to 512 letters, digits and signs without spaces'],
  DISCORD_URL: ['discord', 'an address that begins with http:// or https://'],
  DISCORD_INVITE_URL: ['discord', 'an address that begins with http:// or https://'],
  GOOGLE_CLIENT_ID: ['my app', '1 to 512 letters, digits and signs without spaces'],
  GOOGLE_CLIENT_SECRET: ['my secret', '1 to 512 letters, digits and signs without spaces'],
  GOOGLE_URL: ['google', 'an address that begins with http:// or https://'],
  MICROSOFT_CLIENT_ID: ['my app', '1 to 512 letters, digits and signs without spaces'],
  MICROSOFT_CLIENT_SECRET: ['my secret', '1 to 512 letters, digits and signs without spaces'],
  MICROSOFT_URL: ['common', 'an address that begins with http:// or https://'],
  GITLAB_CLIENT_ID: ['my app', '1 to 512 letters, digits and signs without spaces'],
  GITLAB_CLIENT_SECRET: ['my secret', '1 to 512 letters, digits and signs without spaces'],
  GITLAB_URL: ['gitlab', 'an address that begins with http:// or https://'],
  STEAM_SIGN_IN: ['yes', 'one of on, off'],
  STEAM_URL: ['steam', 'an address that begins with http:// or https://'],
  OIDC_CLIENT_ID: ['my app', '1 to 512 letters, digits and signs without spaces'],
  OIDC_CLIENT_SECRET: ['my secret', '1 to 512 letters, digits and signs without spaces'],
  OIDC_ISSUER: ['issuer', 'an address that begins with http:// or https://'],
  OIDC_NAME: ['a\nb', 'a text of up to 40 characters on one line'],
  GEOIP_DATABASE: ['a\0b', 'the path of a file'],
  AUTH_RETURN_HOSTS: [
    'https://launcher.example',
    'host names with commas between; one that begins with a dot stands for all below it',
  ],
  STAFF_EMAIL: ['nobody', 'up to 10 email addresses with commas between'],
  STAFF_WEBHOOK_URL: ['hooks', 'an address that begins with http:// or https://'],
  STAFF_WEBHOOK_SECRET: ['whsec_short', 'whsec_ and at least 24 bytes in Base64'],
  STAFF_CHAT_URL: ['chat', 'the address of a Discord webhook'],
  SEARCH_ENGINE: ['lucene', 'one of embedded, postgres, opensearch'],
  SMTP_URL: ['https://mail', 'an address such as smtps://user:password@mail.example.org:465'],
  MAIL_FROM: ['a\nb', 'an email address, or a name and an address as in Cairn <mail@example.org>'],
  SEARCH_URL: ['search:9200', 'an address that begins with http:// or https://'],
  HOSTING: ['yes', 'one of on, off'],
  SERVER_KIND: ['minetest', 'one of local, itzg'],
  BACKUP_ENGINE: ['zip', 'one of archive, restic'],
  BACKUP_TARGET: ['tape', 'one of auto, node, platform, s3'],
  NODE_ADDRESS: ['http://node', 'the address or host name that players use to reach this machine'],
  AGENT_PORTS: ['25999-25600', 'two ports from 1024 to 65535 with a hyphen between'],
  AGENT_DISK: ['image', 'one of auto, measured'],
  SFTP_PORT: ['0', 'a port from 1 to 65535'],
  SFTP_HOST: ['a b', 'an address or name of this machine'],
  SFTP_ADDRESS: ['sftp://host', 'the address or host name that people use for SFTP'],
  SERVERS_DOMAIN: ['servers', 'a domain such as servers.example.org'],
  SERVERS_ZONE_FILE: ['a\0b', 'the path of a file'],
  SERVERS_NAME_SERVERS: ['ns 1', 'up to 8 names of name servers with commas between'],
  DNS_SERVERS: [
    '192.0.2.53, dns.example',
    'up to 10 IP addresses with commas between, such as 192.0.2.53 or 192.0.2.53:5353',
  ],
  PAYMENTS: ['gold', 'one of test, stripe, off'],
  PAYOUTS: ['test,bank', 'off, test, or some of paypal, tremendous and bank with commas between'],
  STRIPE_SECRET_KEY: ['sk test', 'the key as Stripe shows it, without spaces'],
  STRIPE_PUBLISHABLE_KEY: ['pk test', 'the key as Stripe shows it, without spaces'],
  STRIPE_WEBHOOK_SECRET: ['whsec 1', 'the key as Stripe shows it, without spaces'],
  STRIPE_API_URL: ['stripe', 'an address that begins with http:// or https://'],
  PAYPAL_CLIENT_ID: ['a b', 'the key as the provider shows it, without spaces'],
  PAYPAL_CLIENT_SECRET: ['a b', 'the key as the provider shows it, without spaces'],
  PAYPAL_WEBHOOK_ID: ['a b', 'the key as the provider shows it, without spaces'],
  PAYPAL_API_URL: ['paypal', 'an address that begins with http:// or https://'],
  TREMENDOUS_API_KEY: ['a b', 'the key as the provider shows it, without spaces'],
  TREMENDOUS_FUNDING_SOURCE: ['a b', 'the key as the provider shows it, without spaces'],
  TREMENDOUS_CAMPAIGN_ID: ['a b', 'the key as the provider shows it, without spaces'],
  TREMENDOUS_WEBHOOK_KEY: ['a b', 'the key as the provider shows it, without spaces'],
  TREMENDOUS_API_URL: ['tremendous', 'an address that begins with http:// or https://'],
  BANK_DEBTOR_NAME: ['a\0b', 'the name of the account’s owner, up to 70 characters'],
  BANK_DEBTOR_IBAN: ['DE1', 'an IBAN'],
  BANK_DEBTOR_BIC: ['DEUTDE', 'a BIC of 8 or 11 letters and digits'],
  BANK_CURRENCY: ['GBP', 'EUR or USD'],
  BANK_EXCHANGE_RATE: ['0', 'how many of the currency are one dollar, such as 0.92'],
  INVOICE_NAME: ['a\nb', 'a text of up to 300 characters on one line'],
  INVOICE_ADDRESS: ['a\nb', 'a text of up to 300 characters on one line'],
  INVOICE_TAX_ID: ['a\nb', 'a text of up to 300 characters on one line'],
  INVOICE_TAX_NAME: ['a\nb', 'a text of up to 300 characters on one line'],
  INVOICE_TAX_PERCENT: ['100', 'a number below 100 with at most three decimals, such as 19 or 8.1'],
  INVOICE_PREFIX: ['a b', 'at most 20 letters, digits, hyphens and slashes'],
  OVERCOMMIT: ['0', 'a number from 0.1 to 100'],
};

const refusal = (env: Record<string, string>): string => {
  try {
    parseSettings(env);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
  }
  return 'accepted';
};

/** Every combination of settings that decides whether an installation is open. */
const openings = ['', '127.0.0.1', '::1', 'localhost', '0.0.0.0', '::', '192.0.2.7', 'mods.example'].flatMap(
  (HOST) =>
    [
      '',
      'http://127.0.0.1:4321',
      'http://[::1]:80',
      'http://localhost',
      'https://mods.example.org',
      'http://127.0.0.1.nip.io',
    ].flatMap((SITE_URL) =>
      ['', ' , ', 'loopback', '10.0.0.0/8'].map((TRUST_PROXY): [Record<string, string>, boolean] => [
        { HOST, SITE_URL, TRUST_PROXY },
        ['0.0.0.0', '::', '192.0.2.7', 'mods.example'].includes(HOST) ||
          ['https://mods.example.org', 'http://127.0.0.1.nip.io'].includes(SITE_URL) ||
          ['loopback', '10.0.0.0/8'].includes(TRUST_PROXY),
      ]),
    ),
);

describe('settings', () => {
  it.each(Object.entries(wrong))(
    'report a wrong %s with its value, unless it is secret, and the allowed values',
    (name, [value, said]) => {
      const { secret } = settingOf(name as SettingName);
      expect(refusal({ [name]: value })).toBe(
        `${name}=${secret ? '...' : value} is not allowed: use ${said}.`,
      );
    },
  );

  it('report all errors, one line each, without passwords', () => {
    const lines = refusal({ PORT: '1e9', DATABASE_URL: 'mysql://ada:secret@db/x' }).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe(
      'DATABASE_URL=mysql://...@db/x is not allowed: use an address that begins with postgres://.',
    );
  });

  it.each([
    [{}, 'mailto:security@localhost'],
    [{ HOST: '::1' }, 'mailto:security@localhost'],
    [{ SITE_URL: 'https://mods.example:8443/' }, 'mailto:security@mods.example'],
    [{ SECURITY_CONTACT: 'holes@mods.example' }, 'mailto:holes@mods.example'],
    [{ SECURITY_CONTACT: 'https://mods.example/report' }, 'https://mods.example/report'],
  ])('with %j use the security contact %s', (env, contact) => {
    expect(parseSettings(env as Record<string, string>).SECURITY_CONTACT).toBe(contact);
  });

  it.each([
    [{}, { NODE_ADDRESS: '127.0.0.1', SERVER_KIND: 'local', OVERCOMMIT: 8 }],
    [
      { HOST: '::1', SERVER_KIND: 'itzg' },
      { NODE_ADDRESS: '::1', SERVER_KIND: 'itzg' },
    ],
    [{ SITE_URL: 'https://mods.example' }, { NODE_ADDRESS: '127.0.0.1' }],
    [
      { HOST: '0.0.0.0', SITE_URL: 'https://mods.example:8443' },
      { NODE_ADDRESS: 'mods.example', SERVER_KIND: 'itzg', OVERCOMMIT: 1 },
    ],
    [
      { NODE_ADDRESS: 'play.example', OVERCOMMIT: '2.5' },
      { NODE_ADDRESS: 'play.example', OVERCOMMIT: 2.5 },
    ],
  ])('with %j configure game servers as %j', (env, hosting) => {
    expect(parseSettings(env as Record<string, string>)).toMatchObject(hosting);
  });

  it('require SEARCH_URL for a search server, and never report its password', () => {
    expect(refusal({ SEARCH_ENGINE: 'opensearch' })).toBe(
      'SEARCH_ENGINE=opensearch needs SEARCH_URL: use an address that begins with http:// or https://.',
    );
    expect(refusal({ SEARCH_URL: 'ftp://ada:secret@search' })).not.toContain('secret');
    expect(
      parseSettings({ SEARCH_ENGINE: 'opensearch', SEARCH_URL: 'https://ada:secret@search:9200/' }),
    ).toMatchObject({ SEARCH_URL: 'https://ada:secret@search:9200' });
  });

  it('treat empty values as absent', () => {
    expect(parseSettings({ PORT: '', SEED: '' })).toMatchObject({
      PORT: 4321,
      SEED: 'demo',
      seedChosen: false,
    });
  });

  it('make an installation open in every combination that exposes it, and private otherwise', () => {
    for (const [env, open] of openings) {
      const settings = parseSettings(env);
      expect(isOpen(settings), JSON.stringify(env)).toBe(open);
      expect(settings, JSON.stringify(env)).toMatchObject(
        open
          ? { SEED: 'none', PAYMENTS: 'off', OVERCOMMIT: 1, SERVER_KIND: 'itzg' }
          : { SEED: 'demo', PAYMENTS: 'test', OVERCOMMIT: 8, SERVER_KIND: 'local' },
      );
      const chosen = { SEED: 'demo', PAYMENTS: 'off', OVERCOMMIT: '3' };
      const stored = { SEED: 'demo', PAYMENTS: 'off', OVERCOMMIT: 3, seedChosen: true };
      expect(parseSettings({ ...env, ...chosen }), JSON.stringify(env)).toMatchObject(stored);
    }
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['localhost', true],
    ['LOCALHOST', true],
    ['::1', true],
    ['[::1]', true],
    ['::ffff:127.0.0.1', true],
    ['127.0.0.1.evil.example', false],
    ['127.example', false],
    ['localhost.evil.example', false],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['::ffff:10.0.0.1', false],
  ])('treat %s as loopback: %s', (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback);
  });

  it('offer an app when it can be downloaded for a system', () => {
    expect(parseSettings({}).APP).toBe('off');
    expect(parseSettings({ APP_BETA_URL: 'https://a.example' }).APP).toBe('off');
    expect(parseSettings({ APP_LINUX_RPM_URL: 'https://a.example/app.rpm' }).APP).toBe('on');
  });

  it('read launchers with their addresses', () => {
    expect(parseSettings({}).LAUNCHERS).toEqual([]);
    expect(
      parseSettings({ LAUNCHERS: 'Long Way=https://a.example/?b=1, Ford=http://b.example,' }).LAUNCHERS,
    ).toEqual([
      { name: 'Long Way', url: 'https://a.example/?b=1' },
      { name: 'Ford', url: 'http://b.example' },
    ]);
    expect(refusal({ LAUNCHERS: 'https://a.example' })).toContain('LAUNCHERS=');
    expect(refusal({ LAUNCHERS: 'A=javascript:alert(1)' })).toContain('LAUNCHERS=');
  });

  it('offer SFTP by themselves only on this machine and with demo content', () => {
    expect(parseSettings({}).SFTP_PORT).toBe(2022);
    expect(parseSettings({ SEED: 'none' }).SFTP_PORT).toBeUndefined();
    expect(parseSettings({ HOST: '0.0.0.0', SEED: 'demo' }).SFTP_PORT).toBeUndefined();
    const set = parseSettings({ SITE_URL: 'https://cairn.example', SFTP_PORT: '22' });
    expect(set).toMatchObject({ SFTP_PORT: 22, SFTP_HOST: '127.0.0.1' });
    expect(sftpHost(set)).toBe('cairn.example');
    expect(sftpHost({ ...set, SFTP_ADDRESS: 'files.example' })).toBe('files.example');
    expect(sftpHost({ SITE_URL: 'http://[::1]:4321' })).toBe('::1');
  });

  it('describe the allowed values of every setting', () => {
    for (const name of settingNames)
      expect([name, settingOf(name).shape.description]).not.toContain(undefined);
  });
});

it('refuses repositories of restic at the platform', () => {
  expect(refusal({ BACKUP_ENGINE: 'restic', BACKUP_TARGET: 'platform' })).toContain(
    'use BACKUP_ENGINE=archive',
  );
  expect(refusal({ BACKUP_ENGINE: 'restic', BACKUP_TARGET: 's3' })).toBe('accepted');
  expect(refusal({ BACKUP_ENGINE: 'restic' })).toBe('accepted');
});

it('reads names of servers as name servers know them, and needs a domain for a zone', () => {
  expect(
    parseSettings({ SERVERS_DOMAIN: 'Servers.Example.org', SERVERS_NAME_SERVERS: 'ns1.example.org., ' }),
  ).toMatchObject({
    SERVERS_DOMAIN: 'servers.example.org',
    SERVERS_NAME_SERVERS: ['ns1.example.org'],
  });
  expect(parseSettings({}).SERVERS_DOMAIN).toBeUndefined();
  expect(refusal({ SERVERS_ZONE_FILE: '/var/lib/zone' })).toContain('needs SERVERS_DOMAIN');
});

it('sends people to support where the operator says, else to the chat, else nowhere', () => {
  const CHAT_URL = 'https://chat.example.org';
  const of = (env: Record<string, string>) => {
    const { SUPPORT_LINK, SUPPORT_TEXT } = parseSettings(env);
    return [SUPPORT_LINK, SUPPORT_TEXT];
  };
  expect(of({ SUPPORT_CONTACT: 'help@example.org', CHAT_URL })).toEqual([
    'mailto:help@example.org',
    'help@example.org',
  ]);
  expect(of({ CHAT_URL })).toEqual([CHAT_URL, CHAT_URL]);
  expect(of({})).toEqual([undefined, undefined]);
});
