import { isAbsolute, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { originPattern } from '#control/protocol/transfers.ts';
import { s3Settings } from './backups/targets/s3-settings.ts';

/**
 * The variables of an agent. What each means is in `setting-sentences.ts`; `node bin/settings-handbook.ts` writes the table of the
 * operators’ handbook from both.
 */
export const agentVariables = {
  CAIRN_AGENT_URL: { default: 'http://127.0.0.1:4321' },
  CAIRN_AGENT_JOIN: { secret: true },
  CAIRN_AGENT_DATA: { default: '.data/agent' },
  CAIRN_AGENT_DISK: { default: 'auto' },
  CAIRN_AGENT_S3_URL: {},
  CAIRN_AGENT_S3_KEY: { secret: true },
  CAIRN_AGENT_S3_SECRET: { secret: true },
  CAIRN_AGENT_S3_REGION: { default: 'us-east-1' },
  CAIRN_AGENT_TRANSFER_PORT: {},
  CAIRN_AGENT_TRANSFER_HOST: { default: '127.0.0.1' },
  CAIRN_AGENT_TRANSFER_URL: {},
  CAIRN_AGENT_ALLOW_PRIVATE: {},
  CAIRN_AGENT_ALLOW_PLAIN: {},
} satisfies Record<string, { default?: string; secret?: true }>;

/** Settings of an agent: `cairn agent` gives them as options, everything else as CAIRN_AGENT_* in the environment. */
export interface AgentSettings {
  /** Addresses of control planes: http(s)://host[:port] or unix:/path/to/socket. When one fails, the next is tried. */
  urls: string[];
  /** Join token, used once when this node has no secret yet. */
  join: string | null;
  /** Database, secret and files of servers. The path must be the same for the Docker engine. */
  data: string;
  /** How disk limits of new servers are enforced: by the best method of this host, or by measuring. */
  disk: 'auto' | 'measured';
  log_level: string;
  /** Servers start although no firewall keeps them from private networks. */
  allow_private: boolean;
  /** Store for backups with the target `s3`. */
  s3?: z.output<typeof s3Settings> | null;
  /** Port for transfers, and the origin at which browsers reach it; null: they go through the control plane. */
  transfer?: z.output<typeof transferSettings> | null;
}

/** A setting that cannot be used; the message is for the operator. */
export class AgentConfigError extends Error {}

/** Whether `url` leads to another machine without encryption: the secret of the node would travel in clear. */
function isPlainRemote(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return host !== 'localhost' && !(ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

const transferSettings = z.object({
  host: z.string().min(1),
  port: z.int().min(1).max(65535),
  url: z.string().max(300).regex(originPattern),
});

const shape = z.object({
  urls: z
    .array(
      z
        .string()
        .refine((url) => /^unix:\/.+$/.test(url) || (/^https?:\/\/.+$/.test(url) && URL.canParse(url))),
    )
    .min(1)
    .max(20),
  join: z.string().min(1).nullable(),
  data: z.string().min(1),
  disk: z.enum(['auto', 'measured']),
  s3: s3Settings.nullable(),
  transfer: transferSettings.nullable(),
  allow_private: z.boolean(),
  log_level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
});
const descriptions: Record<keyof Required<AgentSettings>, string> = {
  urls: '--url (CAIRN_AGENT_URL) must be an http or https address or unix:/path/to/socket, or several with commas between',
  join: '--join (CAIRN_AGENT_JOIN) must be the token that `cairn node add` printed',
  data: '--data (CAIRN_AGENT_DATA) must be a folder',
  disk: 'CAIRN_AGENT_DISK must be auto or measured',
  s3: 'CAIRN_AGENT_S3_URL must be http(s)://host[:port]/bucket[/prefix], with CAIRN_AGENT_S3_KEY and CAIRN_AGENT_S3_SECRET beside it',
  transfer:
    'CAIRN_AGENT_TRANSFER_PORT must be a port from 1 to 65535, with CAIRN_AGENT_TRANSFER_URL beside it: https://host[:port], in small letters and without a path',
  allow_private: 'CAIRN_AGENT_ALLOW_PRIVATE must be 1 or nothing',
  log_level: 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
};

/** The store that CAIRN_AGENT_S3_* names; null when none is named. */
function s3Of(env: Record<string, string | undefined>) {
  const { CAIRN_AGENT_S3_URL: url, CAIRN_AGENT_S3_KEY, CAIRN_AGENT_S3_SECRET, CAIRN_AGENT_S3_REGION } = env;
  if (!url) return null;
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' };
  const [, bucket = '', ...prefix] = pathname.replace(/(?<!\/)\/+$/, '').split('/');
  return {
    endpoint: origin,
    region: CAIRN_AGENT_S3_REGION || agentVariables.CAIRN_AGENT_S3_REGION.default,
    bucket,
    prefix: prefix.join('/'),
    access_key: CAIRN_AGENT_S3_KEY ?? '',
    secret_key: CAIRN_AGENT_S3_SECRET ?? '',
    idle_ms: 60_000,
  };
}

/** The port that CAIRN_AGENT_TRANSFER_* opens; null when none is named. */
function transferOf(env: Record<string, string | undefined>) {
  const [port, url] = [env.CAIRN_AGENT_TRANSFER_PORT, env.CAIRN_AGENT_TRANSFER_URL];
  if (!port && !url) return null;
  const host = env.CAIRN_AGENT_TRANSFER_HOST || agentVariables.CAIRN_AGENT_TRANSFER_HOST.default;
  return { host, port: Number(port), url: (url ?? '').replace(/(?<!\/)\/+$/, '') };
}

/** Options override the environment. Throws `AgentConfigError` with one line for each invalid setting. */
export function agentSettings(
  options: { url?: string; join?: string; data?: string },
  env: Record<string, string | undefined>,
): AgentSettings {
  const parsed = shape.safeParse({
    urls: (options.url ?? env.CAIRN_AGENT_URL ?? agentVariables.CAIRN_AGENT_URL.default)
      .split(',')
      .map((url) => url.trim().replace(/(?<!\/)\/+$/, ''))
      .filter(Boolean),
    join: options.join || env.CAIRN_AGENT_JOIN || null,
    data: options.data ?? env.CAIRN_AGENT_DATA ?? agentVariables.CAIRN_AGENT_DATA.default,
    disk: env.CAIRN_AGENT_DISK || agentVariables.CAIRN_AGENT_DISK.default,
    s3: s3Of(env),
    transfer: transferOf(env),
    allow_private: env.CAIRN_AGENT_ALLOW_PRIVATE === '1',
    log_level: env.LOG_LEVEL || 'info',
  });
  if (parsed.success) {
    const { data, urls } = parsed.data;
    const plain = urls.find(isPlainRemote);
    const open = [parsed.data.transfer?.url ?? ''].find(isPlainRemote);
    if (open && env.CAIRN_AGENT_ALLOW_PLAIN !== '1')
      throw new AgentConfigError(
        `${open} would carry files and the secrets of their addresses without encryption. Use https, or set CAIRN_AGENT_ALLOW_PLAIN=1 in a network that you trust.`,
      );
    if (plain && env.CAIRN_AGENT_ALLOW_PLAIN !== '1')
      throw new AgentConfigError(
        `${plain} would carry the secret of this node without encryption. Use https, or set CAIRN_AGENT_ALLOW_PLAIN=1 in a network that you trust.`,
      );
    return { ...parsed.data, data: isAbsolute(data) ? data : resolve(data) };
  }
  const names = new Set(parsed.error.issues.map(({ path }) => path[0] as keyof AgentSettings));
  throw new AgentConfigError([...names].map((name) => `${descriptions[name]}.`).join('\n'));
}
