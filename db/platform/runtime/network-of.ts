import ipaddr from 'ipaddr.js';

/**
 * The key for limits per network: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to one
 * customer.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  // a socket that listens for both kinds names IPv4 addresses as ::ffff:192.0.2.7
  const given = ipaddr.process(address);
  if (given instanceof ipaddr.IPv4) return given.toString();
  const parts = given.parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
