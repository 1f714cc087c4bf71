import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { CommandFailed, exec } from '../programs/exec.ts';

/** What game servers must not reach: private, shared, link-local (the metadata services of clouds) and multicast addresses. */
export const blocked_ranges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
] as const;

/** Mail servers take what arrives here; a game server has nothing to say there, and its address would be blocked for all. */
const mail_port = 25;

/** Traffic that leaves the machine, hooked into Docker's own chain; traffic to the machine itself. */
const chains = { forward: 'CAIRN-SERVERS', input: 'CAIRN-HOST' } as const;
const hooks = [
  ['DOCKER-USER', chains.forward],
  ['INPUT', chains.input],
] as const;

/** The rules of both chains for iptables-restore, which replaces them in one step. Answers and name servers stay allowed. */
export function firewallRules(name_servers: readonly string[]): string {
  const allowed = [
    '-m conntrack --ctstate RELATED,ESTABLISHED -j RETURN',
    ...name_servers.flatMap((address) =>
      ['udp', 'tcp'].map((protocol) => `-d ${address}/32 -p ${protocol} --dport 53 -j RETURN`),
    ),
  ];
  const rules = (chain: string, last: readonly string[]) =>
    [...allowed, ...last].map((rule) => `-A ${chain} ${rule}`);
  return [
    '*filter',
    ...Object.values(chains).map((chain) => `:${chain} - [0:0]`),
    ...rules(
      chains.forward,
      [...blocked_ranges.map((range) => `-d ${range}`), `-p tcp --dport ${mail_port}`].map(
        (to) => `${to} -j DROP`,
      ),
    ),
    ...rules(chains.input, ['-j DROP']),
    'COMMIT',
    '',
  ].join('\n');
}

/** IPv4 addresses of the name servers in the text of a resolv.conf, without loopback: Docker asks those itself. */
export const nameServersOf = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)]
    .map(([, address]) => address ?? '')
    .filter((address) => ipaddr.IPv4.isValidFourPartDecimal(address))
    .filter((address) => ipaddr.IPv4.parse(address).range() !== 'loopback');

/** The files Docker takes name servers of containers from. */
const resolver_files = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];

async function nameServers(): Promise<string[]> {
  const texts = await Promise.all(resolver_files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return [...new Set(texts.flatMap(nameServersOf))];
}

const wait = ['-w', '10'];

/**
 * Keeps containers behind `bridge` away from the host and from private addresses. Gives null, or the reason why this
 * process cannot do it. Safe to repeat: chains are replaced, hooks are added once.
 */
export async function filterTraffic(bridge: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may set firewall rules';
  try {
    const restore = 'printf %s "$1" | iptables-restore -w 10 --noflush';
    await exec('sh', '-c', restore, 'sh', firewallRules(await nameServers()));
    for (const [chain, target] of hooks) {
      const rule = ['-i', bridge, '-j', target];
      const hooked = await exec('iptables', ...wait, '-C', chain, ...rule).catch(() => null);
      if (hooked === null) await exec('iptables', ...wait, '-I', chain, '1', ...rule);
    }
    return null;
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
}
