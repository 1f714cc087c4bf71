import ipaddr from 'ipaddr.js';

/** The host name under which a browser on this machine reaches `host`. */
export function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '[::]') return 'localhost';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** A host as used in e-mail addresses: IP addresses are in brackets. Source: RFC 5321 §4.1.3. */
export const mailHost = (host: string): string => {
  const bare = host.replace(/[[\]]/g, '');
  if (ipaddr.IPv4.isValid(bare)) return `[${bare}]`;
  return ipaddr.IPv6.isValid(bare) ? `[IPv6:${bare}]` : bare;
};
