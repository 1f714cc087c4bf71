/** Small closed lists. Source: specification §3; api-v2 §1.7, §11 (names of the donation platforms). */
export const projectTypes = ['mod', 'modpack', 'plugin', 'datapack', 'resourcepack', 'shader'] as const;
export const sideTypes = ['required', 'optional', 'unsupported', 'unknown'] as const;
export const environments = [
  'client_and_server',
  'client_only',
  'client_only_server_optional',
  'singleplayer_only',
  'server_only',
  'server_only_client_optional',
  'dedicated_server_only',
  'client_or_server',
  'client_or_server_prefers_both',
  'unknown',
] as const;
export const donationPlatforms = [
  { short: 'patreon', name: 'Patreon' },
  { short: 'bmac', name: 'Buy Me A Coffee' },
  { short: 'paypal', name: 'PayPal' },
  { short: 'github', name: 'GitHub Sponsors' },
  { short: 'ko-fi', name: 'Ko-fi' },
  { short: 'other', name: 'Other' },
] as const;
export const reportTypes = ['spam', 'copyright', 'inappropriate', 'malicious', 'name-squatting'] as const;
export const gameVersionTypes = ['release', 'snapshot', 'alpha', 'beta'] as const;
