import { isIPv4, isIPv6 } from 'node:net';

/** Records of the domain name system that lead players to a server. RFC 1035 and RFC 2782 say how. */

/** One record: names without a dot at their end. The value of an SRV record is `priority weight port target`. */
export interface DnsRecord {
  type: 'A' | 'AAAA' | 'CNAME' | 'SRV';
  name: string;
  value: string;
}

/** A server with a name of its own; `address` is that of its node, with the port of the game. */
interface NamedServer {
  /** The whole name, such as `long-way.servers.example.org`. */
  name: string;
  address: { host: string; port: number };
}

/** The service that clients of the game look up before they connect to a name without a port. */
export const game_service = '_minecraft._tcp';

/**
 * The records that make `name` lead to the server: its address, and SRV with the port. The target of SRV must not be an
 * alias (RFC 2782): with a host name as address it is that host itself.
 */
export function dnsRecords({ name, address: { host, port } }: NamedServer): DnsRecord[] {
  const type = isIPv4(host) ? 'A' : isIPv6(host) ? 'AAAA' : 'CNAME';
  const value = type === 'CNAME' ? host.toLowerCase().replace(/\.$/, '') : host;
  return [
    { type, name, value },
    {
      type: 'SRV',
      name: `${game_service}.${name}`,
      value: `0 5 ${port} ${type === 'CNAME' ? value : name}`,
    },
  ];
}
