import { writeStaffNotice } from '#content/staff-notices.ts';
import type { AppContext } from '#db/context.ts';
import { notifyStaff } from '#db/messages/staff-notices/write.ts';

/** Notifies staff, once a day, that requests come through a proxy which TRUST_PROXY does not name. */
export const tellStaffOfProxy =
  ({ sql, settings, sealer, log, now }: Pick<AppContext, 'sql' | 'settings' | 'sealer' | 'log' | 'now'>) =>
  (address: string): void => {
    const at = now();
    const key = `proxy ${at.toISOString().slice(0, 10)}`;
    const notifying = { settings, sealer, write: writeStaffNotice };
    sql
      .begin((tx) => notifyStaff(tx, notifying, { kind: 'proxy_unknown', key, data: { address } }, at))
      .catch((err: unknown) => log.warn({ err }, 'Could not notify staff of a proxy'));
  };
