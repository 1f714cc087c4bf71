import { z } from 'zod';
import { whyNotSetEnvironment } from '#db/catalogue/projects/rules.ts';
import { verifyEnvironment } from '#db/catalogue/projects/verify-environment.ts';
import { environments } from '#db/catalogue/tags/rules.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { defineProjectForm, settingsPageOf } from '../../platform/forms/project-form.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { concealed, projectFormRoute } from './project-form.server.ts';

const place = { field: 'environment' } as const;

export const environmentForm = defineProjectForm({
  screen: 'environment',
  shape: { environment: z.enum(environments) },
  parts: { environment: { name: 'project_settings.environment', fields: ['environment'] } },
  errors: {
    environment_type: place,
    environment_versions: place,
    environment_several: place,
  },
  fieldsOf: (own) => ({ environment: own.environments.length === 1 ? own.environments[0]! : '' }),
  partsOf: ({ environment = '' }) => ({ environment: { text: environment, change: { environment } } }),
  check: (_fields, own) => assertAllowed(whyNotSetEnvironment(own)),
});

export const verifyEnvironmentForm = defineForm({
  action: '/_internal/project/environment/verify',
  shape: z.object({ project: idShape }),
  fields: [],
  errors: {},
});

/** The forms of `/{type}/{id}/settings/environment`. */
export function projectEnvironmentRoutes(api: Api, services: AppServices): void {
  const { sql } = services;
  projectFormRoute(api, services, environmentForm, {
    // what is not known can't be confirmed
    beside: async (tx, actor, { id }, { fields, now }) => {
      if (fields.environment !== 'unknown') await verifyEnvironment(tx, actor, id, now);
    },
  });

  formRoute(api, verifyEnvironmentForm, {
    needs: ['PROJECT_WRITE'],
    page: ({ project }) => settingsPageOf(project, 'environment'),
    async run({ actor, fields: { project }, now }) {
      await sql.begin((tx) => verifyEnvironment(tx, actor, project, now)).catch(concealed);
      return { to: `${settingsPageOf(project, 'environment')}?saved=1` };
    },
  });
}
