import ipaddr from 'ipaddr.js';
import type { Limiter, Verdict } from '#db/platform/runtime/rate-limit.ts';

/**
 * Around a /64 of IPv6: the /56, which homes get, and the /48 of an organization or a tunnel, with the times that each may do
 * what a /64 may. Otherwise one customer would have 256 or 65,536 limits.
 */
const wider = [
  { prefix: 56, times: 4 },
  { prefix: 48, times: 16 },
] as const;

/**
 * A limiter whose keys are networks (`networkOf`): what it counts for a /64 of IPv6 counts for the networks around it too, which
 * have bounds of their own. An IPv4 address counts alone.
 */
export function byNetwork<L extends Limiter>(limiter: L): L {
  const hit = (key: string, now_ms: number, cost = 1): Verdict => {
    const verdict = limiter.hit(key, now_ms, cost);
    if (!verdict.allowed) return verdict;
    for (const { around, times } of networksAround(key)) {
      const outer = limiter.hit(around, now_ms, cost / times);
      if (outer.allowed) continue;
      limiter.hit(key, now_ms, -cost); // refused requests do not count
      return outer;
    }
    return verdict;
  };
  const charge = (key: string, now_ms: number, cost: number): void => {
    limiter.charge(key, now_ms, cost);
    for (const { around, times } of networksAround(key)) limiter.charge(around, now_ms, cost / times);
  };
  return { ...limiter, rate: limiter.rate, hit, charge };
}

function networksAround(network: string): Array<{ around: string; times: number }> {
  const [address = '', prefix] = network.split('/');
  if (prefix !== '64' || !ipaddr.IPv6.isValid(address)) return [];
  return wider.map(({ prefix: bits, times }) => ({
    around: `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`,
    times,
  }));
}
