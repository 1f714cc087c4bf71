import { SettingError, type Settings } from '../../platform/runtime/env.ts';
import type { AdNetwork } from './network.ts';
import { ownAdNetwork } from './own-network.ts';
import { readAds } from './read-ads.ts';

/**
 * The network of the setting ADS, null for none. Reads the files of own ads, and throws `SettingError` with a line for
 * each mistake in them, as for a wrong setting.
 */
export function openAdNetwork(
  settings: Pick<Settings, 'ADS' | 'ADS_DIR' | 'AD_RATE' | 'AD_DAY_MAX'>,
): AdNetwork | null {
  if (settings.ADS === 'off') return null;
  const own = readAds(settings.ADS_DIR);
  if (own.problems.length > 0)
    throw new SettingError(own.problems.map((problem) => `${settings.ADS_DIR}/${problem}`).join('\n'));
  if (own.ads.length === 0)
    throw new SettingError(
      `ADS=own, but ${settings.ADS_DIR} has no ads: add one as the handbook page "Ads" says, or set ADS=off.`,
    );
  return ownAdNetwork(own, { rate: settings.AD_RATE, day_max: settings.AD_DAY_MAX });
}
