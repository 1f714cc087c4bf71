import { map } from 'nanostores';
import type { OperationView } from '#db/hosting/servers/operation-view.ts';

/** What the operations of this page are about, by their id: events do not say it. */
export const $named = map<Record<string, string>>({});

/** The newest event of each, by its id. */
export const $operations = map<Record<string, OperationView>>({});
