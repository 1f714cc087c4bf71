/** Whether modpacks may contain a work from elsewhere. Source: api-v3 §5. */
export const permissions = [
  'yes',
  'with-attribution-and-source',
  'with-attribution',
  'no',
  'permanent-no',
  'unidentified',
] as const;
export type Permission = (typeof permissions)[number];

/** What a file of a modpack means for its review. */
export type PackFileGroup = 'allowed' | 'credited' | 'forbidden' | 'unknown';

/** The group of a file by what is known about it; null when nothing is. */
export function groupOf(permission: Permission | null): PackFileGroup {
  if (permission === 'yes') return 'allowed';
  if (permission === 'with-attribution' || permission === 'with-attribution-and-source') return 'credited';
  return permission === 'no' || permission === 'permanent-no' ? 'forbidden' : 'unknown';
}

export const limits = { files: 4096, hashes: 1000 } as const;
