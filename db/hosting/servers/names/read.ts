import type { RefusalCode } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer, type ServerRecord } from '../read.ts';
import { whyNotHave, whyNotSee } from '../rules.ts';
import { type DnsRecord, dnsRecords } from './dns.ts';
import { fullName } from './full-name.ts';
import { normalSubdomain, whyNotSubdomain } from './rules.ts';
import type { SubdomainView } from './view.ts';

/** Where the operator offers names; without a domain nobody has one. */
export interface NameSettings {
  SERVERS_DOMAIN?: string | undefined;
}

/** The records of a server with a subdomain; none without one, and before it is on a node. */
export function dnsRecordsOf({ view }: ServerRecord, { SERVERS_DOMAIN }: NameSettings): DnsRecord[] {
  const name = fullName(view.subdomain, SERVERS_DOMAIN);
  return name && view.address ? dnsRecords({ name, address: view.address }) : [];
}

/** The name of a server. Refuses as `whyNotSee` says. */
export async function showSubdomain(
  db: Db,
  actor: Actor,
  server_id: string,
  settings: NameSettings,
  now: Date,
): Promise<SubdomainView> {
  const server = await findAuthorizedServer(db, actor, server_id, now, whyNotSee);
  const domain = settings.SERVERS_DOMAIN ?? null;
  const subdomain = domain === null ? null : server.view.subdomain;
  return { domain, subdomain, records: dnsRecordsOf(server, settings) };
}

/**
 * Why a server cannot have this name now, or null: the rule of names, `subdomains_off`, `subdomain_taken`, and
 * `subdomain_reserved` for the name of a node.
 */
export async function whyNotFree(
  db: Db,
  { server_id, name: text }: { server_id: string; name: string },
  { SERVERS_DOMAIN }: NameSettings,
): Promise<RefusalCode | null> {
  if (!SERVERS_DOMAIN) return 'subdomains_off';
  const why = whyNotSubdomain(text);
  if (why) return why;
  const name = normalSubdomain(text);
  const host = `${name}.${SERVERS_DOMAIN}`;
  const [row] = await db<{ taken: boolean; node: boolean }[]>`
    select exists (select from server_subdomains where name = ${name} and server_id <> ${server_id}) as taken,
      exists (select from nodes where lower(public_address) = ${host}
        or right(lower(public_address), ${host.length + 1}) = ${`.${host}`}) as node`;
  if (row!.node) return 'subdomain_reserved';
  return row!.taken ? 'subdomain_taken' : null;
}

/** Whether a server can have a name, while it is typed. Refuses as `whyNotHave.options` says. */
export async function checkSubdomain(
  db: Db,
  actor: Actor,
  wanted: { server_id: string; name: string },
  settings: NameSettings,
  now: Date,
): Promise<RefusalCode | null> {
  await findAuthorizedServer(db, actor, wanted.server_id, now, whyNotHave.options);
  return await whyNotFree(db, wanted, settings);
}
