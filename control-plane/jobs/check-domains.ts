import { checkDomain, domainsDue } from '#db/hosting/servers/network/domains.ts';
import { ConcurrencyLimiter } from '#db/platform/runtime/concurrency.ts';
import { defineJob } from './define.ts';

/** Domains in one run, the next run takes the others; and how many are asked about at a time. */
const max_domains = 200;
const at_once = 8;

/** Checks where domains of renters lead: those that lead to their server daily, others hourly for a week. */
export const checkDomainsJob = defineJob({
  name: 'check_domains',
  queue: { retryLimit: 3, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/5 * * * *', unique_s: 60 },
  async run({ sql, now, settings }) {
    const servers = await domainsDue(sql, now(), max_domains);
    const limiter = new ConcurrencyLimiter({ max_running: at_once, max_waiting: max_domains });
    const check = (id: string) => limiter.run(() => checkDomain(sql, id, settings.DNS_SERVERS, now));
    await Promise.all(servers.map(check));
    return servers.length > 0 ? { domains: servers.length } : undefined;
  },
});
