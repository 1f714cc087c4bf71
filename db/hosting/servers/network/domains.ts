import { Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import { type Db, type Pool, violatedConstraint } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { game_service } from '../names/dns.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotHave } from '../rules.ts';
import { lookUpDomain } from './lookup.ts';
import { check_pause_ms, type DomainState, isBelow, judgeDomain, nextCheck, readDomain } from './rules.ts';

/** Names of the installation itself: `domain` with everything below it, `hosts` alone. */
export interface OwnNames {
  domain: string | undefined;
  hosts: readonly string[];
}

/**
 * Sets the domain of a server; another one replaces it, the same one changes nothing. Gives whether it is another one, which
 * is checked from then on. Refuses as
 * `whyNotHave.options` says, `domain_invalid`, `domain_own`, `server_not_ready` before it is on a node, and `domain_taken`
 * while another server has it: one that does not lead there, and is not checked any more, loses it.
 */
export async function setDomain(
  db: Db,
  actor: Actor,
  wanted: { server_id: string; domain: string },
  own: OwnNames,
  now: Date,
): Promise<boolean> {
  const { server_id } = wanted;
  const { view } = await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const domain = readDomain(wanted.domain);
  if (domain === null) throw new Refused('domain_invalid');
  if (!view.address) throw new Refused('server_not_ready');
  const nodes = await db`select 1 from nodes where lower(public_address) = ${domain} limit 1`;
  if (nodes.length > 0 || own.hosts.includes(domain) || (own.domain && isBelow(domain, own.domain)))
    throw new Refused('domain_own', { domain });
  await db`
    delete from server_domains
    where domain = ${domain} and server_id <> ${server_id} and state <> 'verified' and next_check is null`;
  const fresh = { domain, state: 'pending', since: now, next_check: now, checked: null, asked: null };
  try {
    const rows = await db`
      insert into server_domains ${db({ server_id, created: now, ...fresh })}
      on conflict (server_id) do update set ${db(fresh)}, found = default, created = ${now}
      where server_domains.domain <> ${domain} returning 1`;
    if (rows.length === 0) return false;
  } catch (error) {
    if (violatedConstraint(error) === 'server_domain_taken') throw new Refused('domain_taken', { domain });
    throw error;
  }
  await recordEvent(db, {
    ...{ name: 'server.domain_set', actor_id: actor.user_id, server_id },
    data: { domain },
  });
  return true;
}

/** Removes the domain of a server; without one nothing happens. Refuses as `whyNotHave.options` says. */
export async function removeDomain(
  db: Db,
  actor: Actor,
  { server_id }: { server_id: string },
  now: Date,
): Promise<void> {
  await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const [row] = await db<{ domain: string }[]>`
    delete from server_domains where server_id = ${server_id} returning domain`;
  if (!row) return;
  await recordEvent(db, {
    ...{ name: 'server.domain_removed', actor_id: actor.user_id, server_id },
    data: { domain: row.domain },
  });
}

/**
 * Asks name servers now, for a user, where the domain of a server leads. Refuses as `whyNotHave.options` says,
 * `domain_unset`, and `domain_check_too_soon` within five seconds of the last time.
 */
export async function checkDomainFor(
  sql: Pool,
  actor: Actor,
  { server_id }: { server_id: string },
  servers: readonly string[],
  now: () => Date,
): Promise<void> {
  await findAuthorizedServer(sql, actor, server_id, now(), whyNotHave.options);
  const at = now();
  const { count } = await sql`
    update server_domains set asked = ${at} where server_id = ${server_id}
      and (asked is null or asked <= ${new Date(at.getTime() - check_pause_ms)})`;
  if (count === 0) {
    const known = await sql`select 1 from server_domains where server_id = ${server_id}`;
    throw known.length > 0
      ? new Refused('domain_check_too_soon', { seconds: check_pause_ms / 1000 })
      : new Refused('domain_unset');
  }
  await checkDomain(sql, server_id, servers, now);
}

/** Servers whose domains are to be checked now, the longest waiting first. */
export async function domainsDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db<{ server_id: string }[]>`
    select server_id from server_domains where next_check <= ${now} order by next_check, server_id limit ${limit}`;
  return rows.map(({ server_id }) => server_id);
}

interface Checked {
  domain: string;
  host: string;
  port: number;
}
const domainToCheck = (db: Db, server_id: string) => db<Checked[]>`
  select d.domain, n.public_address as host, s.port from server_domains d
    join servers s on s.id = d.server_id join nodes n on n.id = s.node_id
  where d.server_id = ${server_id}`;

/**
 * Asks name servers where the domain of a server leads, and stores what they answered. No transaction waits for them: a
 * domain or a port that changed meanwhile is checked again.
 */
export async function checkDomain(
  sql: Pool,
  server_id: string,
  servers: readonly string[],
  now: () => Date,
): Promise<void> {
  const [asked] = await domainToCheck(sql, server_id);
  if (!asked) return;
  const answers = await lookUpDomain(asked.domain, asked.host, servers);
  const { state, ...found } = judgeDomain({ ...asked, service: game_service }, answers);
  await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const [still] = await domainToCheck(tx, server_id);
    if (!still || still.domain !== asked.domain || still.port !== asked.port) return;
    const [before] = await tx<{ state: DomainState; since: string }[]>`
      select state, since from server_domains where server_id = ${server_id}`;
    await storeCheck(tx, { server_id, domain: asked.domain }, before!, state ?? before!.state, found, now());
  });
}

async function storeCheck(
  db: Db,
  { server_id, domain }: { server_id: string; domain: string },
  before: { state: DomainState; since: string },
  state: DomainState,
  found: object,
  now: Date,
): Promise<void> {
  const [was, is] = [before.state === 'verified', state === 'verified'];
  const since = was === is ? new Date(before.since) : now;
  await db`
    update server_domains set state = ${state}, found = ${db.json(found as never)}, since = ${since}, checked = ${now},
      next_check = ${nextCheck(state, since, now)}
    where server_id = ${server_id}`;
  if (was === is) return;
  await recordEvent(db, {
    ...{ name: is ? 'server.domain_verified' : 'server.domain_lost', server_id },
    data: { domain },
  });
}
