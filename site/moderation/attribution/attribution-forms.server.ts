import { z } from 'zod';
import { attributionKinds, moderationKinds } from '#db/moderation/attribution/rules.ts';
import { attributionShape } from '#db/moderation/attribution/shape.ts';
import { answerGroup } from '#db/moderation/attribution/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

const text = (most: number) =>
  z
    .string()
    .max(most)
    .default('')
    .transform((given) => given.trim());

/** What a team says about a group of files, and what staff say to it. */
export const attributionForm = defineForm({
  action: '/_internal/attribution-answer',
  shape: z.object({
    project: idShape,
    group: idShape,
    kind: z.enum(attributionKinds),
    license: text(128),
    link: text(2048),
    notes: text(4096),
    decision: z.enum(['', ...moderationKinds]).default(''),
  }),
  // which group it was, for the page that says what is wrong
  fields: ['group', 'kind', 'license', 'link', 'notes', 'decision'],
  errors: { attribution_frozen: {} },
});

const pageOf = ({ project }: { project?: unknown }): string =>
  idShape.safeParse(project).success ? `/project/${project as string}/settings/attribution` : '/dashboard';

/** The answers for files from elsewhere, in the settings of a modpack. */
export function attributionFormRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, attributionForm, {
    needs: ['VERSION_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project, group, kind, license, link, notes, decision }, now }) {
      const parsed = attributionShape.safeParse({
        ...{ kind, notes, image_urls: [] },
        ...((kind === 'license' || kind === 'my_project') && { license }),
        ...(kind !== 'my_project' && (link || kind !== 'no_permission') && { link_to_work: link }),
        ...(decision && { moderation_status: { kind: decision } }),
      });
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const field = issue?.path[0] === 'license' ? 'license' : 'link';
        throw new Refused('invalid_input', { problem: z.prettifyError(parsed.error), field });
      }
      await sql.begin((tx) => answerGroup(tx, actor, group, parsed.data, { now }));
      return { to: `${pageOf({ project })}?done=${group}` };
    },
  });
}
