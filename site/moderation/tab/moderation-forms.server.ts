import { z } from 'zod';
import { submitProject, withdrawProject } from '#db/catalogue/publishing/review.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

export const submitForm = defineForm({
  action: '/_internal/projects/submit',
  shape: z.object({ project: idShape, confirmed: z.literal('on').optional() }),
  fields: ['confirmed'],
  errors: { submit_unconfirmed: 'confirmed' },
});

export const withdrawForm = defineForm({
  action: '/_internal/projects/withdraw',
  shape: z.object({ project: idShape }),
  fields: [],
  errors: {},
});

/** A broken id has no page. */
const pageOf = ({ project }: { project?: unknown }): string =>
  idShape.safeParse(project).success ? `/project/${project as string}/moderation` : '/dashboard';

/** Submitting a project for review, and withdrawing it. */
export function projectModerationRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, submitForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project, confirmed }, now }) {
      await sql.begin((tx) => submitProject(tx, actor, project, { confirmed: confirmed === 'on', now }));
      return { to: `${pageOf({ project })}?done=submitted` };
    },
  });

  formRoute(api, withdrawForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project }, now }) {
      await sql.begin((tx) => withdrawProject(tx, actor, project, now));
      return { to: `${pageOf({ project })}?done=withdrawn` };
    },
  });
}
