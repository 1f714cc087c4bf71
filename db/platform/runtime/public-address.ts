import { promises as dns, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';

/** Whether an IP address is public: not private, loopback, link-local, mapped or reserved. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:127.0.0.1 counts as 127.0.0.1
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000;
}

/**
 * A resolver that speaks DNS itself: with the system's resolver a slow name server would block the threads that also
 * read files. `servers` (`127.0.0.1:5353`) replace the system's name servers.
 */
export function nameResolver(servers?: string[]): (host: string) => Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((answer, index) =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
  };
}
