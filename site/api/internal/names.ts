import { z } from 'zod';
import { releaseName, whyNotReleaseNames } from '#db/accounts/release-name.ts';
import { keptKinds, max_release_reason } from '#db/names/rules.ts';
import { nonBlankText } from '#db/shape.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { namePath, namesPath } from '../../kept-names/paths.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

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
