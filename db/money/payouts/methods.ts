import { Refused } from '../../platform/errors.ts';
import type { PayoutMethod, PayoutProvider } from './provider.ts';
import { decimalOf } from './providers/decimal.ts';
import { hasAmounts, isCountry, limitsOf, type PayoutType } from './rules.ts';

/** A way to be paid, with the provider that offers it. */
export interface OfferedMethod extends PayoutMethod {
  provider: PayoutProvider;
}

/**
 * What all providers together offer in a country; a provider that is not reachable is left out, and so is a method that
 * takes no amount. Refuses `payouts_off`, `country_unknown`, and `payouts_unreachable` when none answers.
 */
export async function offeredMethods(
  providers: readonly PayoutProvider[],
  country: string,
): Promise<OfferedMethod[]> {
  if (providers.length === 0) throw new Refused('payouts_off');
  if (!isCountry(country)) throw new Refused('country_unknown', { country: country.slice(0, 20) });
  const lists = await Promise.allSettled(
    providers.map(async (provider) =>
      (await provider.methods(country)).map((method) => ({ ...method, provider })),
    ),
  );
  if (lists.every(({ status }) => status === 'rejected')) throw new Refused('payouts_unreachable');
  return lists
    .flatMap((list) => (list.status === 'fulfilled' ? list.value : []))
    .filter((method) => hasAmounts(limitsOf(method, country)));
}

/** The method of this type and id in a country. Refuses `payout_method_unknown` and as `offeredMethods` does. */
export async function offeredMethod(
  providers: readonly PayoutProvider[],
  { country, type, id }: { country: string; type: PayoutType; id: string },
): Promise<OfferedMethod> {
  const found = (await offeredMethods(providers, country)).find((one) => one.type === type && one.id === id);
  if (!found) throw new Refused('payout_method_unknown', { country });
  return found;
}

/** The bounds of a method for the texts of refusals, in dollars and the fee included. */
export function limitTexts(method: OfferedMethod, country: string): Record<string, string> {
  const shown = (minor: number) => `$${minor % 100 === 0 ? minor / 100 : decimalOf(minor)}`;
  const limits = limitsOf(method, country);
  return 'values_minor' in limits
    ? { amounts: limits.values_minor.slice(0, 20).map(shown).join(', ') }
    : { least: shown(limits.min_minor), most: shown(limits.max_minor) };
}
