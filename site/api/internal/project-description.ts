import { z } from 'zod';
import { limits } from '#db/projects/limits.ts';
import { boundedText } from '#db/shape.ts';
import type { AppServices } from '../../context.ts';
import { defineProjectForm } from '../../forms/project-form.ts';
import { bytesOfText } from '../route/form.ts';
import { projectFormRoute } from '../route/project-form.ts';
import type { Api } from '../route/types.ts';

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
