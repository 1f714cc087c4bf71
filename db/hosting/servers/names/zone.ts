import { createHash } from 'node:crypto';
import { getFact, setFact } from '../../../platform/installation.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { dnsRecords } from './dns.ts';

/** The zone of all servers with a name, as text for a name server. RFC 1035 §5 has the format. */

/** Names in one zone: more is no zone of one file any more. */
const max_names = 100_000;
/** How long a resolver keeps a record, in seconds: an address that moved is old for so long. */
const ttl_s = 300;

interface ZoneSettings {
  SERVERS_DOMAIN: string;
  /** With them the zone is whole; without them it is a part for `$INCLUDE`. */
  SERVERS_NAME_SERVERS: readonly string[];
}

interface Row {
  name: string;
  host: string;
  port: number;
}

/** Names of hosts in values get the dot that makes them absolute. */
const absolute = (type: string, value: string): string =>
  type === 'CNAME' || type === 'SRV' ? `${value}.` : value;

/**
 * The records of all servers, in the order of their names. The zone is whole, with SOA and NS, when the operator names name
 * servers: its serial grows with every change and is stored, so that every control plane and the CLI give the same text.
 */
export async function zoneText(db: Db, settings: ZoneSettings, now: Date): Promise<string> {
  const { SERVERS_DOMAIN: domain, SERVERS_NAME_SERVERS: name_servers } = settings;
  const rows = await db<Row[]>`
    select d.name, n.public_address as host, s.port
    from server_subdomains d join servers s on s.id = d.server_id join nodes n on n.id = s.node_id
    where s.port is not null and s.lifecycle <> 'deprovisioning' order by d.name
    limit ${max_names}`;
  const lines = rows.flatMap(({ name, host, port }) =>
    dnsRecords({ name: `${name}.${domain}`, address: { host, port } }).map(
      (one) => `${one.name}. IN ${one.type} ${absolute(one.type, one.value)}`,
    ),
  );
  const body = [...name_servers.map((one) => `@ IN NS ${one}.`), ...lines].join('\n');
  const head = [
    `; Servers with a name below ${domain}. Made by Cairn: changes to this text are lost.`,
    `$ORIGIN ${domain}.`,
    `$TTL ${ttl_s}`,
  ];
  if (name_servers.length > 0) {
    const serial = await serialOf(db, `${domain}\n${body}`, now);
    head.push(`@ IN SOA ${name_servers[0]}. hostmaster.${domain}. ${serial} 3600 600 604800 ${ttl_s}`);
  }
  return `${[...head, body].join('\n').trimEnd()}\n`;
}

/** The serial of a zone with this content: that of the last change, in seconds since 1970 where that is larger. */
async function serialOf(db: Db, content: string, now: Date): Promise<number> {
  const hash = createHash('sha256').update(content).digest('hex');
  const known = await getFact<{ hash: string; serial: number }>(db, 'dns_zone');
  if (known?.hash === hash) return known.serial;
  const serial = Math.max((known?.serial ?? 0) + 1, Math.floor(now.getTime() / 1000));
  await setFact(db, 'dns_zone', { hash, serial });
  return serial;
}
