import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What the page of the people on a server says. */
export const peoplePrefixes = [...panelPrefixes, 'server_access.', 'error.user_unknown'] as const;
/** What the page of what was done on a server says. */
export const activityPrefixes = [...panelPrefixes, 'server_access.', 'server_activity.'] as const;
