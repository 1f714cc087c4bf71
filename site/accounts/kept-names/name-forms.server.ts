import { z } from 'zod';
import { releaseName, whyNotReleaseNames } from '#db/accounts/account/release-name.ts';
import { keptKinds, max_release_reason } from '#db/platform/names/rules.ts';
import { nonBlankText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { namePath, namesPath } from './paths.ts';

export const releaseNameForm = defineForm({
  action: '/_internal/names/release',
  shape: z.object({
    kind: z.enum(keptKinds),
    name: nonBlankText(1, 100),
    reason: z
      .string()
      .transform((text) => text.replaceAll('\r\n', '\n').trim())
      .pipe(nonBlankText(1, max_release_reason)),
  }),
  fields: ['reason'],
  invalid: { reason: 'form.required' },
  errors: { reason_required: 'reason' },
});

/** Releasing names that are kept for who had them. */
export function nameRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, releaseNameForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotReleaseNames },
    page: (given) => namePath(given),
    async run({ actor, fields, now }) {
      await sql.begin((tx) => releaseName(tx, actor, fields, now));
      return { to: `${namesPath}?done=released` };
    },
  });
}
