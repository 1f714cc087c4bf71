import { z } from 'zod';
import { addProject, removeProject } from '#db/catalogue/organizations/project-moves.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { settingsPage, settingsPageOf } from '../../platform/forms/settings-page.ts';
import { formRoute, withQuery } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** Gives a project to an organization: from the settings of either. */
export const addProjectForm = defineForm({
  action: '/_internal/organizations/projects/add',
  shape: z.object({ organization_id: idShape, project_id: idShape, page: settingsPage }),
  fields: ['organization_id', 'project_id'],
  invalid: {
    organization_id: 'team.organization_missing',
    project_id: 'organization_settings.project_missing',
  },
  errors: {},
});

/** Takes a project out of an organization for one of its members. */
export const removeProjectForm = defineForm({
  action: '/_internal/organizations/projects/remove',
  shape: z.object({ organization_id: idShape, project_id: idShape, heir: idShape, page: settingsPage }),
  fields: ['heir'],
  invalid: { heir: 'team.new_owner_missing' },
  errors: { new_owner_not_member: 'heir' },
});

const needs = ['PROJECT_WRITE', 'ORGANIZATION_WRITE'] as const;
const fromOrganization = (page: string): boolean => page.startsWith('/organization/');

/** The forms that move projects in and out of organizations. Source: api-behaviours §2; screens §A.4. */
export function organizationProjectForms(api: Api, { sql }: AppServices): void {
  formRoute(api, addProjectForm, {
    needs,
    page: settingsPageOf,
    async run({ actor, fields: { organization_id, project_id, page } }) {
      await sql.begin((tx) => addProject(tx, actor, { organization_id, project_id }));
      return { to: withQuery(page, { done: 'added' }) };
    },
  });

  formRoute(api, removeProjectForm, {
    needs,
    page: (given) => {
      const page = settingsPageOf(given);
      const { project_id: project } = given;
      return fromOrganization(page) && idShape.safeParse(project).success
        ? withQuery(page, { project: project as string })
        : page;
    },
    async run({ actor, fields: { organization_id, project_id, heir, page } }) {
      const move = { organization_id, project_id, new_owner: heir };
      await sql.begin((tx) => removeProject(tx, actor, move));
      // who gave the project away may not see its settings any more
      const stays = fromOrganization(page) || heir === actor.user_id;
      return { to: withQuery(stays ? page : '/dashboard', { done: 'released' }) };
    },
  });
}
