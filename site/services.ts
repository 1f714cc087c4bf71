import type { OpenRecord } from '#db/record.ts';

/** What the doorways of the site work with: the open record, made once in `server.ts`, made small in tests. */
export type Services = Omit<OpenRecord, 'close' | 'searchIndex'>;
