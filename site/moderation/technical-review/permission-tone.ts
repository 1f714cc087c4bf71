import type { PackFileGroup } from '#db/catalogue/external-files/rules.ts';

/** How what is known of a file or a work is shown. */
export const permissionTone: Record<PackFileGroup, 'good' | 'note' | 'bad' | 'warn'> = {
  allowed: 'good',
  credited: 'note',
  forbidden: 'bad',
  unknown: 'warn',
};
