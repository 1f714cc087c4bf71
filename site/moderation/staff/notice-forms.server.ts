import { z } from 'zod';
import { writeStaffNotice } from '#content/staff-notices.ts';
import { whyNotSeeStaffNotices } from '#db/messages/staff-notices/rules.ts';
import { testStaffNotices } from '#db/messages/staff-notices/write.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

export const staffNoticesPath = '/admin/staff-notices';

export const testStaffNoticeForm = defineForm({
  action: '/_internal/staff/test-notice',
  shape: z.object({}),
  fields: [],
  errors: {},
});

/** The test of the addresses at which staff are notified. */
export function staffNoticeRoutes(api: Api, { sql, settings, sealer }: AppServices): void {
  formRoute(api, testStaffNoticeForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotSeeStaffNotices },
    page: staffNoticesPath,
    async run({ actor, now }) {
      await sql.begin((tx) =>
        testStaffNotices(tx, { settings, sealer, write: writeStaffNotice }, actor, now),
      );
      return { to: `${staffNoticesPath}?done=sent` };
    },
  });
}
