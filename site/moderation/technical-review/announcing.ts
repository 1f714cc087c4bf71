import { writeStaffNotice } from '#content/staff-notices.ts';
import { reviewWords } from '#content/technical-review.ts';
import type { AppServices } from '../../platform/context.ts';

/** What writes of technical review need to tell teams and staff. */
export const announcingOf = ({ settings, sealer }: Pick<AppServices, 'settings' | 'sealer'>) => ({
  ...{ settings, sealer },
  write: writeStaffNotice,
  words: reviewWords,
});
