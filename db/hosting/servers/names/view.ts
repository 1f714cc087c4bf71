import { z } from 'zod';

/** A record for the name servers of a domain. */
const dnsRecordView = z.strictObject({
  type: z.enum(['A', 'AAAA', 'CNAME', 'SRV']),
  name: z.string(),
  value: z.string(),
});

/** The name of a server below the domain of the site. */
export const subdomainView = z.strictObject({
  /** Null where the operator offers none. */
  domain: z.string().nullable(),
  /** Null while it has none. */
  subdomain: z.string().nullable(),
  /** What leads players to it; none before it is on a node. */
  records: z.array(dnsRecordView),
});
export type SubdomainView = z.output<typeof subdomainView>;
