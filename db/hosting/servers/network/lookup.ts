import { promises as dns } from 'node:dns';
import { domainToUnicode } from 'node:url';
import ipaddr from 'ipaddr.js';
import { game_service } from '../names/dns.ts';
import type { DomainAnswers } from './rules.ts';

/** Questions about domains of renters to name servers. */

/** A whole check ends after this time; one question after a part of it. */
const check_ms = 6_000;
const question_ms = 1_500;
/** SRV records whose hosts are looked up. */
const max_targets = 5;

/** Answers that say there is nothing. */
const nothing = ['ENODATA', 'ENOTFOUND'];

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** A domain in punycode as people read it. */
export const readableDomain = (domain: string): string => domainToUnicode(domain) || domain;

/**
 * Asks name servers where `domain` leads, and which addresses `host`, a node, has. `servers` (`192.0.2.53`,
 * `127.0.0.1:5353`) replace those of the machine. Never throws: what is not answered in time is `failed`.
 */
export async function lookUpDomain(
  domain: string,
  host: string,
  servers: readonly string[],
): Promise<DomainAnswers> {
  // one for each check: it keeps nothing, and can be cancelled
  const resolver = new dns.Resolver({ timeout: question_ms, tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  let failed = false;
  let isOver = false;
  const ask = async <T>(question: () => Promise<T[]>): Promise<T[]> => {
    try {
      if (!isOver) return await question();
      failed = true;
    } catch (error) {
      if (!nothing.includes((error as NodeJS.ErrnoException).code ?? '')) failed = true;
    }
    return [];
  };
  const addressesOf = async (name: string): Promise<string[]> =>
    ipaddr.isValid(name)
      ? [ipaddr.process(name).toString()]
      : (await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))]))
          .flat()
          .map((address) => ipaddr.process(address).toString());
  const timer = setTimeout(() => {
    isOver = true;
    resolver.cancel();
  }, check_ms);
  try {
    const [services, cnames, addresses, node_addresses] = await Promise.all([
      ask(() => resolver.resolveSrv(`${game_service}.${domain}`)),
      ask(() => resolver.resolveCname(domain)),
      addressesOf(domain),
      addressesOf(host),
    ]);
    const srv = await Promise.all(
      services.slice(0, max_targets).map(async ({ name, priority, weight, port }) => ({
        ...{ priority, weight, port },
        target: bare(name),
        addresses: await addressesOf(name),
      })),
    );
    return { srv, cname: cnames[0] ? bare(cnames[0]) : null, addresses, node_addresses, failed };
  } finally {
    clearTimeout(timer);
  }
}
