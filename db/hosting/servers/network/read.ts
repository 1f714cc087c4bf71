import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { dnsRecords } from '../names/dns.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotHave } from '../rules.ts';
import { readableDomain } from './lookup.ts';
import { type DomainFindings, type DomainState, extra_ports_protocol, max_extra_ports } from './rules.ts';
import type { DomainView, NetworkView } from './view.ts';

/** Whether a node's agent does not know extra ports; unknown until its first heartbeat. */
export async function isAgentOutdated(db: Db, node_id: string): Promise<boolean> {
  const [row] = await db<{ protocol: number | null }[]>`
    select (facts->>'protocol')::int as protocol from nodes where id = ${node_id}`;
  return (row?.protocol ?? extra_ports_protocol) < extra_ports_protocol;
}

/** Ports and domain of a server. Refuses as `whyNotHave.options` says. */
export async function showNetwork(db: Db, actor: Actor, server_id: string, now: Date): Promise<NetworkView> {
  const { view, node_id } = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.options);
  const ports = await db<{ port: number; name: string; is_removed: boolean }[]>`
    select port, name, removed_generation is not null as is_removed from server_ports
    where server_id = ${server_id} and name is not null order by port`;
  return {
    address: view.address,
    ports: ports.filter((one) => !one.is_removed).map(({ port, name }) => ({ port, name })),
    most: max_extra_ports,
    open_until_restart: ports.filter((one) => one.is_removed).map(({ port }) => port),
    agent_outdated: node_id !== null && (await isAgentOutdated(db, node_id)),
    domain: view.address && (await domainOf(db, server_id, view.address)),
  };
}

interface DomainRow {
  domain: string;
  state: DomainState;
  found: DomainFindings;
  checked: string | null;
  next_check: string | null;
}

async function domainOf(
  db: Db,
  server_id: string,
  address: { host: string; port: number },
): Promise<DomainView | null> {
  const [row] = await db<DomainRow[]>`
    select domain, state, found, checked, next_check from server_domains where server_id = ${server_id}`;
  return row
    ? { ...row, shown: readableDomain(row.domain), records: dnsRecords({ name: row.domain, address }) }
    : null;
}
