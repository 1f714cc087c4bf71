import type { RefusalCode } from '../../../platform/errors.ts';
import { hasOddCharacters, oneLine } from '../../../platform/plain-text/rules.ts';

/** Rules for ports and domains of servers. Source: hosting §5; RFC 1035; RFC 2782. */

/** The port of the game inside its container, and the one that clients use for an address without a port. */
export const game_port = 25_565;
/** Most ports of a server beside that of the game. */
export const max_extra_ports = 15;
export const port_name_length = 32;
/** The first version of the agents' protocol that knows extra ports. */
export const extra_ports_protocol = 1;

/** Name of a port to store: one line in NFC; null when it is empty, too long, or has control characters. */
export function portName(text: string): string | null {
  const name = oneLine(text).normalize();
  return hasOddCharacters(text) || name === '' || [...name].length > port_name_length ? null : name;
}

/** Why a server cannot have one more port of this name, or null. `names`: of those that it has. */
export function whyNotAddPort(names: readonly string[], name: string): RefusalCode | null {
  if (names.length >= max_extra_ports) return 'ports_too_many';
  return whyNotNamePort(names, name);
}

/** Why a port cannot have this name beside the others of its server, or null. */
export const whyNotNamePort = (names: readonly string[], name: string): RefusalCode | null =>
  names.some((other) => other.toLowerCase() === name.toLowerCase()) ? 'port_name_taken' : null;

/** Longest domain: with the service in front it has the 253 characters that a name may have. */
const domain_length = 237;
/** Endings that no name server of the internet knows. */
const private_endings = ['localhost', 'local', 'internal', 'invalid', 'arpa', 'onion', 'lan'];

/**
 * The domain that a text names, in punycode and small letters; null when it is none: an address with a scheme, a path or a
 * port, an IP address in any notation, a single word, or an ending that only local networks know.
 */
export function readDomain(text: string): string | null {
  const typed = text.trim().replace(/[.。]$/, '');
  if (typed.length > 253 || /[\s/\\@:?#%|<>^*_[\]]/.test(typed) || !URL.canParse(`http://${typed}`))
    return null;
  const { hostname } = new URL(`http://${typed}`);
  const labels = hostname.split('.');
  const last = labels.at(-1)!;
  if (labels.length < 2 || hostname.length > domain_length) return null;
  if (!labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return null;
  return /^\d+$/.test(last) || private_endings.includes(last) ? null : hostname;
}

/** Whether a domain is `other` or below it. */
export const isBelow = (domain: string, other: string): boolean =>
  domain === other || domain.endsWith(`.${other}`);

export const domainStates = ['pending', 'verified', 'wrong'] as const;
export type DomainState = (typeof domainStates)[number];

/**
 * What keeps a domain from leading to its server: no records, none with the port (`srv_missing`), another port or host in
 * it, another address, or name servers that do not answer.
 */
export const domainProblems = [
  'no_records',
  'srv_missing',
  'srv_port',
  'srv_target',
  'address',
  'dns_failed',
] as const;
type DomainProblem = (typeof domainProblems)[number];

/** A record as it was found. */
export interface FoundRecord {
  type: string;
  name: string;
  value: string;
}
/** What a check found. */
export interface DomainFindings {
  problem: DomainProblem | null;
  records: FoundRecord[];
}

/** What name servers answered about a domain; names in small letters without a dot at their end. */
export interface DomainAnswers {
  srv: { priority: number; weight: number; port: number; target: string; addresses: string[] }[];
  cname: string | null;
  addresses: string[];
  /** Addresses of the server's node. */
  node_addresses: string[];
  /** Some question got no answer, not even that there is nothing. */
  failed: boolean;
}

const max_found = 10;

/**
 * Whether a domain leads players to the server at `host` and `port`. Clients ask for SRV first and use those of the lowest
 * priority; without one they use the default port. `state` is null when that could not be found out.
 */
export function judgeDomain(
  { domain, host, port, service }: { domain: string; host: string; port: number; service: string },
  answers: DomainAnswers,
): DomainFindings & { state: DomainState | null } {
  const { srv, cname, addresses, node_addresses, failed } = answers;
  const records: FoundRecord[] = [
    ...srv.map(({ priority, weight, port: to, target }) => ({
      ...{ type: 'SRV', name: `${service}.${domain}`, value: `${priority} ${weight} ${to} ${target}` },
    })),
    ...(cname === null ? [] : [{ type: 'CNAME', name: domain, value: cname }]),
    ...addresses.map((value) => ({ type: value.includes(':') ? 'AAAA' : 'A', name: domain, value })),
  ].slice(0, max_found);
  const isNode = (name: string | null, found: readonly string[]) =>
    name === host.toLowerCase() || found.some((one) => node_addresses.includes(one));
  const first = Math.min(...srv.map(({ priority }) => priority));
  const used = srv.filter(({ priority }) => priority === first);
  const problem = ((): DomainProblem | null => {
    if (used.length > 0) {
      if (used.some((one) => one.port !== port)) return 'srv_port';
      return used.every((one) => isNode(one.target, one.addresses)) ? null : 'srv_target';
    }
    if (records.length === 0) return 'no_records';
    if (port !== game_port) return 'srv_missing';
    return isNode(cname, addresses) ? null : 'address';
  })();
  if (problem === null) return { state: 'verified', problem, records };
  if (failed) return { state: null, problem: 'dns_failed', records };
  return { state: problem === 'no_records' ? 'pending' : 'wrong', problem, records };
}

const hour_ms = 3_600_000;
/** How long a domain that does not lead to its server is checked by itself. */
const trying_ms = 7 * 24 * hour_ms;
/** Least time between two checks that users ask for. */
export const check_pause_ms = 5_000;

/**
 * When a domain is checked again by itself: daily while it is verified, else hourly for a week since it is not; null when
 * that is over.
 */
export function nextCheck(state: DomainState, since: Date, now: Date): Date | null {
  if (state === 'verified') return new Date(now.getTime() + 24 * hour_ms);
  const next = new Date(now.getTime() + hour_ms);
  return next.getTime() - since.getTime() > trying_ms ? null : next;
}

/** Records in the format of zone files, as name servers import them. Source: RFC 1035 §5. */
export const zoneText = (records: readonly FoundRecord[]): string =>
  records
    .map(({ type, name, value }) => {
      const is_name = type === 'CNAME' || type === 'SRV';
      return `${name}. 3600 IN ${type} ${value}${is_name ? '.' : ''}\n`;
    })
    .join('');
