import { z } from 'zod';
import { limits } from '#db/catalogue/projects/limits.ts';
import { boundedText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineProjectForm } from '../../platform/forms/project-form.ts';
import { bytesOfText } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { projectFormRoute } from './project-form.server.ts';

export const descriptionForm = defineProjectForm({
  screen: 'description',
  shape: {
    // text areas send line ends of two characters
    body: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n').trimEnd())
      .pipe(boundedText(0, limits.body)),
  },
  parts: { body: { name: 'editor.description', fields: ['body'] } },
  invalid: { body: 'editor.body_invalid' },
  errors: { body_too_complex: 'body' },
  fieldsOf: ({ body }) => ({ body }),
  partsOf: ({ body = '' }) => ({ body: { text: body, change: { body } } }),
});

/** The form of `/{type}/{id}/settings/description`; the text is saved as a PATCH of the public API saves it. */
export function projectDescriptionRoutes(api: Api, services: AppServices): void {
  projectFormRoute(api, services, descriptionForm, { limit_bytes: bytesOfText(limits.body) });
}
