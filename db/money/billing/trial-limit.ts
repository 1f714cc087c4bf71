import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { trialsPerNetwork } from './rules.ts';

/**
 * The network that trials are counted by: the /24 of an IPv4 address, the /48 of an IPv6 one, which is what one customer
 * of a provider may hold. What cannot be read counts as one network.
 */
export function trialNetworkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray().slice(0, parsed.kind() === 'ipv4' ? 3 : 6);
  return Buffer.from(bytes).toString('hex');
}

/**
 * Counts a trial for the client's network and the day (UTC). Only a keyed hash of both is stored, so that two days cannot
 * be connected and no address can be read; rows of earlier days are deleted. Refuses `trial_network_limit`. The count
 * goes back with the caller's transaction.
 */
export async function countTrial(tx: Db, address: string, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  const [secret] = await tx<Array<{ key: string }>>`select key from secrets where name = 'trial_networks'`;
  const network = createHmac('sha256', secret!.key)
    .update(`${day} ${trialNetworkOf(address)}`)
    .digest('base64url');
  await tx`delete from trial_networks where day < ${day}::date`;
  const counted = await tx`
    insert into trial_networks as t (day, network, trials) values (${day}, ${network}, 1)
    on conflict (day, network) do update set trials = t.trials + 1 where t.trials < ${trialsPerNetwork}
    returning 1`;
  if (counted.length === 0) throw new Refused('trial_network_limit', { limit: trialsPerNetwork });
}
