import type { RefusalCode } from '../../platform/errors.ts';

/** Most projects that one page shows first. */
export const max_pins = 6;

/**
 * Why these projects cannot be pinned: each must be one of the owner's, hidden ones too, which others don’t see.
 */
export function whyNotPin(project_ids: readonly string[], own: ReadonlySet<string>): RefusalCode | null {
  if (project_ids.some((id) => !own.has(id))) return 'pin_unknown';
  return project_ids.length > max_pins ? 'limit_reached' : null;
}
