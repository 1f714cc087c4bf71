import type { SettingName } from './table.ts';

/**
 * What each setting means, for the tables of the operators’ handbook (`bin/settings-handbook.ts`). Nothing that runs loads this file.
 */

/** In Markdown. With a default in words, where the row of the table has none or another one is clearer. */
export type Sentence = string | { default: string; meaning: string };

export const sentences: Record<SettingName, Sentence> = {
  // network.ts
  SITE_URL: {
    default: 'from `HOST` and `PORT`',
    meaning:
      'public address of the site. Links, feeds, tokens of nodes and file addresses use it. Where only this machine reaches the site it is `http://localhost:` and the port, and pages asked for at `127.0.0.1` lead there: passkeys work at names only',
  },
  CDN_URL: {
    default: '`SITE_URL`',
    meaning: 'origin that serves user content. Modpacks may download from it',
  },
  HOST: 'address the site listens on',
  PORT: 'port of the site',
  TRUST_PROXY:
    'proxies whose `X-Forwarded-*` headers are trusted: addresses, ranges, `loopback`, `linklocal` or `uniquelocal`, separated by commas',
  HSTS_SUBDOMAINS:
    'browsers that came by `https` once use it for a year at the host of `SITE_URL`. `on` extends that to all hosts below it: set it when each of them has TLS',
  RATE_LIMIT_PER_MINUTE: 'API requests per client network. 0 turns the limit off; the headers stay',
  RATE_LIMIT_KEY:
    'a key of at least 16 characters. Requests that send it as `x-ratelimit-key` are not limited',
  PURGE_URL: 'called with the addresses that a change made stale, for a CDN in front',

  // data.ts
  DATA_DIR: 'folder for database, files and caches. It may be below a folder that only root can read',
  DATABASE_URL:
    'Postgres to use instead of the embedded one: `postgres://user:password@host/name`, version 15 or newer. On another machine add `?sslmode=verify-full`: only then is the connection encrypted and the server’s certificate checked. With the next two, it is the address of the owner',
  DATABASE_URL_SITE:
    'the same for the site, as the role `cairn_site`: see [Roles in your own Postgres](/docs/operators/processes#roles-in-your-own-postgres)',
  DATABASE_URL_PLANE: 'the same for the control planes, as the role `cairn_plane`',
  DATABASE_SOCKET: 'folder of the unix socket of a Postgres. `npm start` sets it for its own processes',
  SEED: {
    default: '`demo`, on an open installation `none`',
    meaning: 'content of an empty installation: `demo` or `none`',
  },
  DEMO_GALLERIES:
    'how many projects of the demo content get galleries. Most of their pictures are drawn after the first start, in about a minute',
  MAX_FILE_BYTES: 'largest file of a version: 500 MB',
  UPLOAD_MIN_BYTES_PER_SECOND: 'an upload slower than this for a minute is ended',
  PAGE_STORE_BYTES: 'memory for pages that are ready to send: 16 MB',
  API_STORE_BYTES: 'memory for answers of the API that are ready to send: 24 MB',
  PAGE_STALE_SECONDS: 'how long saved pages are served while the database doesn’t answer; 0 serves none',

  // data.ts: search
  SEARCH_ENGINE:
    '`embedded`, `postgres` or `opensearch`. See [Search engines](/docs/operators/search-engines)',
  SEARCH_URL: 'address of the OpenSearch server, with user and password if it needs them',

  // mail.ts
  SMTP_URL:
    'the mail server, such as `smtps://user:password@mail.example.org:465`. Without it Cairn sends no mail. See [Email](/docs/operators/mail)',
  MAIL_FROM: {
    default: '`Cairn <no-reply@host>`',
    meaning: 'sender of mails, such as `Cairn <mail@example.org>`',
  },
  STAFF_EMAIL:
    'addresses, separated by commas, that get a mail of what staff have to know: servers that broke, reports of malicious content, a review queue that is late, jobs that failed',
  STAFF_WEBHOOK_URL: 'gets the same as a call signed as Standard Webhooks say. Needs `STAFF_WEBHOOK_SECRET`',
  STAFF_WEBHOOK_SECRET: '`whsec_` and at least 24 random bytes in Base64',
  STAFF_CHAT_URL: 'a Discord webhook that gets the same as messages',

  // sign-in.ts: providers
  GITHUB_CLIENT_ID: 'sign-in with GitHub: ID of the app you registered there',
  GITHUB_CLIENT_SECRET: 'its secret',
  GITHUB_URL: 'another GitHub: the address of a GitHub Enterprise Server',
  DISCORD_CLIENT_ID: 'sign-in with Discord: ID of the app you registered there',
  DISCORD_CLIENT_SECRET: 'its secret',
  DISCORD_URL: 'another address of Discord, for a proxy',
  GOOGLE_CLIENT_ID: 'sign-in with Google: ID of the app you registered there',
  GOOGLE_CLIENT_SECRET: 'its secret',
  GOOGLE_URL: 'another issuer in place of Google, for a proxy',
  MICROSOFT_CLIENT_ID: 'sign-in with Microsoft: ID of the app you registered there',
  MICROSOFT_CLIENT_SECRET: 'its secret',
  MICROSOFT_URL:
    'another issuer than that of all accounts: `https://login.microsoftonline.com/TENANT/v2.0` for one tenant',
  GITLAB_CLIENT_ID: 'sign-in with GitLab: ID of the app you registered there',
  GITLAB_CLIENT_SECRET: 'its secret',
  GITLAB_URL: 'another GitLab: the address of your instance',
  STEAM_SIGN_IN: '`on` offers sign-in with Steam, which needs no registration',
  STEAM_URL: 'another address of Steam, for a proxy',
  OIDC_ISSUER: 'sign-in with any provider of OpenID Connect: its issuer',
  OIDC_CLIENT_ID: 'the ID registered there',
  OIDC_CLIENT_SECRET: 'its secret',
  OIDC_NAME: { default: 'host of the issuer', meaning: 'the name of this provider on its button' },
  AUTH_RETURN_HOSTS:
    'hosts that a sign-in of a program may lead back to, besides this site and this computer, separated by commas. One that begins with a dot stands for all below it. They get the session, so name only your own',

  // sign-in.ts: accounts
  CAPTCHA_URL:
    'where answers of the captcha of sign-in and sign-up are checked (POST of `secret` and `response`, answered with `{success}`). Without it there is none',
  CAPTCHA_SECRET: 'the secret for `CAPTCHA_URL`',
  CAPTCHA_SITE_KEY: 'the public key of the captcha',
  CAPTCHA_SCRIPT:
    'the script of the captcha’s widget, such as `https://captcha.example/api.js?render=explicit`',
  GEOIP_DATABASE:
    'an `.mmdb` file of cities by network address, such as GeoLite2 City. With it sessions name the place of their sign-in, and [analytics](/docs/operators/analytics) tell countries apart',

  // catalogue.ts
  GAME_VERSIONS_URL:
    'list of game versions in the format of game launchers. It is read every 30 minutes and new versions are added',
  PROFILE_SERVICE_URL:
    'finds players with an account by `URL/users/profiles/minecraft/NAME`, such as `https://api.mojang.com`, for whitelists, operators and bans of servers that are off. Without it, names can be added on a server that asks for accounts only while it runs. Addresses that are not public are not asked',
  ANALYTICS_ORIGINS: 'origins besides `SITE_URL` whose pages may report views, separated by commas',
  ANALYTICS_RECORD_DAYS:
    'how many days single views, downloads and reports of playtime are kept. Charts of minutes need them',
  ANALYTICS_HOUR_DAYS: 'how many days their sums by hour are kept',
  ANALYTICS_DAYS: 'how many days their sums by day are kept; 0 keeps them for ever',
  ADS: '`own` shows your own [ads](/docs/operators/ads) to visitors who are not signed in',
  ADS_DIR: { default: '`content/ads` of the checkout', meaning: 'folder with them' },
  AD_RATE:
    'what a thousand impressions of own ads earn, in US cents. It becomes income by day, which creators share; 0 enters none',
  AD_DAY_MAX: 'the most that own ads earn on a day, in US cents. What is over is left out and logged',
  AD_SERVING_FEE:
    'what showing one ad costs, in millionths of a dollar. It is taken from income before creators get their share',
  AD_CHECK_FEE: 'what checking one ad costs, likewise',

  // hosting.ts
  HOSTING: '`on` runs game servers on this machine if it has a Docker engine; `off` never does',
  SERVER_KIND: {
    default: '`local` with demo content, else `itzg`',
    meaning: 'kind of new game servers. See [Nodes and agents](/docs/operators/nodes)',
  },
  BACKUP_ENGINE:
    'how backups of game servers are made: `archive`, one `tar.zst` each, or `restic`, which stores what is the same only once',
  BACKUP_TARGET:
    'where new backups of game servers are kept: `auto`, `node`, `platform` or `s3`. See [Backups of game servers](/docs/operators/backups)',
  NODE_ADDRESS: {
    default: 'from `HOST` and `SITE_URL`',
    meaning:
      'address that players use to reach this machine. With a loopback address only this machine can join',
  },
  AGENT_PORTS: 'ports of game servers on this machine',
  AGENT_DISK:
    'how [disk limits](/docs/operators/nodes#disk-limits) of new servers work on this machine: `auto` is the strictest way that it offers, `measured` stops a server after it grew too large',
  OVERCOMMIT: {
    default: '`8` with demo content, else `1`',
    meaning: 'how many times memory, CPU and disk of this machine may be promised',
  },
  SFTP_PORT: {
    default: '`2022` with demo content that only this machine reaches, else none',
    meaning:
      'port of SFTP to the files of game servers. The first control plane of a machine listens, and another one takes over when it ends',
  },
  SFTP_HOST: 'where SFTP listens; `0.0.0.0` is every address',
  SFTP_ADDRESS: { default: 'host of `SITE_URL`', meaning: 'address people are shown for SFTP' },
  SERVERS_DOMAIN:
    'domain below which game servers get names, such as `servers.example.org`: see [names of servers](#names-of-servers)',
  SERVERS_ZONE_FILE: 'file that gets the DNS records of these names',
  SERVERS_NAME_SERVERS:
    'name servers of that domain, separated by commas. With them the file is a whole zone',
  DNS_SERVERS: {
    default: 'those of the machine',
    meaning:
      'name servers that are asked where the domains of renters lead: IP addresses, with a port if need be, separated by commas',
  },
  CONTROL_URL: {
    default: 'a unix socket in `DATA_DIR`',
    meaning:
      'where control planes listen, and where the site reaches them: `unix:/path` or an `http` address. Several have commas between',
  },
  CONTROL_PLANES: 'how many control planes `npm start` runs, up to 4. `npm start -- --planes 2` sets it too',
  PLANE_URL: {
    default: 'the first of `CONTROL_URL`',
    meaning: 'where this control plane listens, and where the others reach it',
  },

  // selling.ts and stripe.ts
  PAYMENTS: {
    default: '`test` with demo content or when not open, else `off`',
    meaning:
      '`stripe` sells, `test` moves no money, `off` sells nothing. See [Selling](/docs/operators/selling)',
  },
  STRIPE_SECRET_KEY: 'secret key of your account at Stripe, or a restricted one',
  STRIPE_PUBLISHABLE_KEY: 'its publishable key',
  STRIPE_WEBHOOK_SECRET: 'signing secret of its webhook',
  STRIPE_API_URL: {
    default: 'that of Stripe',
    meaning: 'another address for its API, for tests and your own proxy',
  },
  REGION_PINGS:
    'an address in each region, such as `western-europe=https://ping.example.org/`, separated by commas: the browsers of buyers measure how fast it answers',
  COUNTRY_HEADER:
    'header in which the proxy in front names the country of a visitor, such as `CF-IPCountry`: prices are shown in its currency, and [analytics](/docs/operators/analytics) tell countries apart',
  INVOICE_NAME: {
    default: '`OPERATOR_NAME`, else the host of `SITE_URL`',
    meaning: 'who sells, at the head of invoices',
  },
  INVOICE_ADDRESS: 'postal address on invoices, its lines with `;` between',
  INVOICE_TAX_ID: 'tax number on invoices',
  INVOICE_TAX_NAME: 'what the tax on invoices is called',
  INVOICE_TAX_PERCENT:
    'tax that prices contain, such as `19` or `8.1`. Without it invoices have no line of tax',
  INVOICE_PREFIX: 'what stands before the number of an invoice',

  // payouts.ts
  PAYOUTS: {
    default: '`test` with demo content or when not open, else `off`',
    meaning:
      'by whom creators are paid: some of `paypal`, `tremendous` and `bank` with commas between. `test` moves no money, `off` pays nobody. See [Paying creators](/docs/operators/payouts)',
  },
  PAYPAL_CLIENT_ID: 'client ID of the app at PayPal that pays creators',
  PAYPAL_CLIENT_SECRET: 'its secret',
  PAYPAL_WEBHOOK_ID: 'ID of its webhook',
  PAYPAL_API_URL: {
    default: '`https://api-m.paypal.com`',
    meaning: 'PayPal’s API. `https://api-m.sandbox.paypal.com` is the sandbox, where no money moves',
  },
  TREMENDOUS_API_KEY: 'API key of the organization at Tremendous',
  TREMENDOUS_FUNDING_SOURCE: 'ID of the funding source that pays, or `balance`',
  TREMENDOUS_CAMPAIGN_ID: 'campaign whose look the mails have',
  TREMENDOUS_WEBHOOK_KEY: 'private key of its webhook',
  TREMENDOUS_API_URL: {
    default: '`https://api.tremendous.com/api/v2`',
    meaning:
      'Tremendous’ API. `https://testflight.tremendous.com/api/v2` is the sandbox, where no money moves',
  },
  BANK_DEBTOR_NAME: 'owner of the account from which bank transfers are paid',
  BANK_DEBTOR_IBAN: 'its IBAN',
  BANK_DEBTOR_BIC: 'BIC of its bank, for banks that want one',
  BANK_CURRENCY: 'currency of bank transfers: `EUR` in the countries of SEPA, or `USD`',
  BANK_EXCHANGE_RATE:
    'how many euros one dollar is, such as `0.92`. `--rate` of `cairn payouts export` goes first',

  // site.ts
  STATUS_URL: 'your status page. Footer and error pages link to it',
  CHAT_URL: 'your community chat. Footer and error pages link to it',
  DISCORD_INVITE_URL: 'your Discord community, for `discord-community-link` of the API',
  SOURCE_URL: {
    default: '`/source.tgz`, made with the build',
    meaning:
      'where the source code of your installation is, if you changed it and publish it elsewhere. `/source`, the footer and the API lead there: the license asks everyone who offers Cairn to others to offer them its source code',
  },
  SUPPORT_CONTACT: {
    default: '`CHAT_URL`',
    meaning:
      'where people reach your support: an email address or `https://`. Footer, error pages, mails and the panel of a server link to it. Without it and without a chat nothing tells people to contact support',
  },
  SECURITY_CONTACT: {
    default: '`security@` and the host of `SITE_URL`',
    meaning: 'contact in `/.well-known/security.txt`: an email address, or `https://`, `mailto:` or `tel:+`',
  },
  GAME_NAME: 'the game that this site is for, in the titles of pages and on the home page',
  OPERATOR_NAME: 'who runs this site, on the legal pages: a person or company',
  OPERATOR_ADDRESS: 'their postal address, on one line',
  OPERATOR_CONTACT: 'where readers write to: an email address or `https://`',
  OPERATOR_COUNTRY: 'the country whose law applies, in the words of your readers',
  LEGAL_DATE: 'since when the terms apply on this site, such as `2026-10-01`',
  STAGING: '`on` marks every page as a staging copy',

  // site.ts: the app
  APP_WINDOWS_URL:
    'where the app of this installation is downloaded for Windows. Without it and the next four, `/app` offers no app',
  APP_MAC_URL: 'the same for Mac',
  APP_LINUX_DEB_URL: 'the same for Linux as a DEB package',
  APP_LINUX_RPM_URL: 'the same for Linux as an RPM package',
  APP_LINUX_APPIMAGE_URL: 'the same for Linux as an AppImage',
  APP_BETA_URL: 'test versions of the app',
  APP_PACKAGES_URL: 'packages of the app made by others',
  APP_MEMORY_MB: 'memory the app needs, in MB, as `/app` shows it',
  LAUNCHERS: 'launchers the home page names: `Name=https://example.org`, separated by commas',

  // operation.ts
  LOG_CLIENTS:
    '`on` writes network address and account of each request into the log. Say so in your privacy page',
  LOG_LEVEL: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  METRICS: 'who may read `/metrics`: `loopback`, `all` or `off`',
  ADMIN_KEY:
    'key of programs that run this installation, at least 16 characters, sent as the header `Modrinth-Admin` to `/_internal/admin`. Without it those addresses are off',
};
