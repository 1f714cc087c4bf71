import type { MessageKey } from '#content/keys.ts';

/**
 * The license as pages show it: its SPDX expression, except where that is no name for people, as before one is chosen.
 * Source: api-v2 §2.1.
 */
export function licenseLabel(id: string, t: (key: MessageKey) => string): string {
  if (id === 'LicenseRef-Unknown') return t('project.license_missing');
  if (id === 'LicenseRef-All-Rights-Reserved') return t('project_settings.license_arr');
  return id;
}
