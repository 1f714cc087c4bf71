import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { commaList, integerBetween, oneOf, onOff, ownHost, type Setting } from './shapes.ts';

const domain = /^(?=.{4,200}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;
const lower = (text: string): string => text.trim().toLowerCase();
/** The address or name of a host, without a port. */
const host = z.string().regex(/^[\w.:-]{1,253}$/);

/** Game servers, the machine that carries them, and the control planes. */
export const hostingSettings = {
  HOSTING: { shape: onOff, default: 'on' },
  /** What each offers: `db/hosting/server-kinds/rules.ts`. */
  SERVER_KIND: { shape: oneOf('local', 'itzg') },
  BACKUP_ENGINE: { shape: oneOf('archive', 'restic'), default: 'archive' },
  BACKUP_TARGET: { shape: oneOf('auto', 'node', 'platform', 's3'), default: 'auto' },
  NODE_ADDRESS: { shape: host.describe('the address or host name that players use to reach this machine') },
  AGENT_PORTS: {
    shape: z.string().refine(isPortRange).describe('two ports from 1024 to 65535 with a hyphen between'),
    default: '25600-25999',
  },
  AGENT_DISK: { shape: oneOf('auto', 'measured'), default: 'auto' },
  OVERCOMMIT: { shape: z.coerce.number().min(0.1).max(100).describe('a number from 0.1 to 100') },
  SFTP_PORT: { shape: z.coerce.number().int().min(1).max(65535).describe('a port from 1 to 65535') },
  SFTP_HOST: { shape: ownHost, default: '127.0.0.1' },
  SFTP_ADDRESS: { shape: host.describe('the address or host name that people use for SFTP') },
  SERVERS_DOMAIN: {
    shape: z
      .string()
      .transform(lower)
      .refine((text) => domain.test(text))
      .describe('a domain such as servers.example.org'),
  },
  SERVERS_ZONE_FILE: {
    shape: z
      .string()
      .regex(/^[^\0]{1,1000}$/)
      .describe('the path of a file'),
  },
  SERVERS_NAME_SERVERS: {
    shape: commaList
      .transform((hosts) => hosts.map((one) => one.toLowerCase().replace(/\.$/, '')).filter(Boolean))
      .refine((hosts) => hosts.length <= 8 && hosts.every((one) => domain.test(one)))
      .describe('up to 8 names of name servers with commas between'),
    default: '',
  },
  DNS_SERVERS: {
    shape: commaList
      .refine((parts) => parts.length <= 10 && parts.every(isIpWithPort))
      .describe('up to 10 IP addresses with commas between, such as 192.0.2.53 or 192.0.2.53:5353'),
    default: '',
  },
  CONTROL_URL: {
    shape: commaList
      .refine((parts) => parts.length <= 20 && parts.every(isControlUrl))
      .describe('unix:/path/to/socket or an http address; several with commas between'),
    default: '',
  },
  CONTROL_PLANES: { shape: integerBetween(1, 4), default: '1' },
  PLANE_URL: {
    shape: z.string().refine(isControlUrl).describe('unix:/path/to/socket or an http address'),
  },
} satisfies Record<string, Setting>;

/** The port of SFTP with demo content, on this machine only. */
export const demo_sftp_port = 2022;

/** The host that people are shown: SFTP_ADDRESS, or the host name of SITE_URL. */
export const sftpHost = ({
  SFTP_ADDRESS,
  SITE_URL,
}: {
  SFTP_ADDRESS?: string | undefined;
  SITE_URL: string;
}): string => SFTP_ADDRESS ?? new URL(SITE_URL).hostname.replace(/^\[|\]$/g, '');

/** Why not so many control planes, or null: each needs an address of its own. */
export const whyNotPlanes = (given: {
  CONTROL_URL: readonly string[];
  CONTROL_PLANES: number;
}): string | null =>
  given.CONTROL_URL.length > 0 && given.CONTROL_URL.length < given.CONTROL_PLANES
    ? `CONTROL_PLANES=${given.CONTROL_PLANES} needs as many addresses in CONTROL_URL.`
    : null;

/** Why backups cannot be made like that, or null: a repository of restic is on a disk or in a store that restic reaches itself. */
export const whyNotBackups = (given: { BACKUP_ENGINE: string; BACKUP_TARGET: string }): string | null =>
  given.BACKUP_ENGINE === 'restic' && given.BACKUP_TARGET === 'platform'
    ? 'BACKUP_ENGINE=restic cannot keep backups at BACKUP_TARGET=platform: use BACKUP_ENGINE=archive, or BACKUP_TARGET=s3 or node.'
    : null;

/** Why no names of servers with these settings, or null: a zone is that of a domain. */
export const whyNotNames = (given: {
  SERVERS_DOMAIN?: string | undefined;
  SERVERS_ZONE_FILE?: string | undefined;
}): string | null =>
  given.SERVERS_ZONE_FILE && !given.SERVERS_DOMAIN
    ? 'SERVERS_ZONE_FILE needs SERVERS_DOMAIN: a domain such as servers.example.org.'
    : null;

/** Whether `text` is a range of unprivileged ports, lowest first. */
function isPortRange(text: string): boolean {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return /^\d+-\d+$/.test(text) && from >= 1024 && from <= to && to <= 65535;
}

/** Whether `text` is an IP address with or without a port: `192.0.2.53:53`, `[2001:db8::53]:53`. */
function isIpWithPort(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const ip = bracketed ?? plain ?? text;
  return ipaddr.isValid(ip) && Number(port ?? 53) > 0 && Number(port ?? 53) < 65536;
}

/** Whether `text` is an address that control planes listen on. */
function isControlUrl(text: string): boolean {
  return /^unix:\/[^\0]+$/.test(text) || (/^https?:\/\/.+$/.test(text) && URL.canParse(text));
}
