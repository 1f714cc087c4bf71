import { z } from 'zod';
import type { MessageKey } from '#content/messages.ts';
import type { OwnFields } from '#db/catalogue/projects/own-fields.ts';
import type { Change } from '#db/catalogue/publishing/edit-project.ts';
import { idShape } from '#db/platform/shape.ts';
import { defineForm, type FormDefinition } from './form-definition.ts';

/** The fields of a form by name; an unchecked box is absent. */
export type FieldValues = Readonly<Record<string, string | undefined>>;

/** What one part of a form says: as people read it, and the change that it asks for. */
interface FormPart {
  text: string;
  change: Change;
}

/** A part of a form that two people can disagree about: a field, or several that mean something together only. */
interface PartDefinition {
  name: MessageKey;
  /** In the order of the page. */
  fields: readonly string[];
}

/**
 * A form that edits fields of a project: all of them save by the same rules, notice that somebody else changed the same
 * part, and show both versions (`projectFormRoute`, `projectFormState`, `Conflict.astro`).
 */
export interface ProjectForm<S extends z.ZodType = z.ZodType> extends FormDefinition<S> {
  /** The page of the settings that it stands on. */
  screen: string;
  parts: Readonly<Record<string, PartDefinition>>;
  /** Check boxes: what is sent back without one was unchecked. */
  boxes: readonly string[];
  /** The fields of what is stored. */
  fieldsOf(own: OwnFields): Record<string, string>;
  /** Refuses what no single field can say is wrong. */
  check?(fields: FieldValues, own: OwnFields): void;
  /** What each part says, given fields that may be incomplete. */
  partsOf(fields: FieldValues, own: OwnFields): Record<string, FormPart>;
}

interface Definition<S extends z.ZodRawShape>
  extends Pick<ProjectForm, 'screen' | 'parts' | 'fieldsOf' | 'partsOf' | 'check' | 'invalid' | 'errors'> {
  shape: S;
  boxes?: readonly string[];
}

const choice = z.enum(['yours', 'theirs']).optional();
const revision = z.coerce.number().int().min(0).max(1_000_000_000).optional();

/** The name of the field that says which version of a part stays. */
export const keptField = (part: string): string => `keep_${part}`;

/** A form at `/_internal/project/{screen}`, with the fields that every one of them sends. */
export function defineProjectForm<S extends z.ZodRawShape>({ shape, boxes = [], ...form }: Definition<S>) {
  const parts = Object.keys(form.parts);
  return {
    ...defineForm({
      action: `/_internal/project/${form.screen}`,
      shape: z.object({
        ...shape,
        project: idShape,
        revision,
        /** The digest of each part as the page came with it. */
        base: z.string().max(2000).optional(),
        /** Whether the page showed both versions. */
        sent_back: z.string().max(1).optional(),
        ...(Object.fromEntries(parts.map((part) => [keptField(part), choice])) as Record<
          string,
          typeof choice
        >),
      }),
      fields: [...Object.values(form.parts).flatMap(({ fields }) => fields), 'revision', 'base'],
      ...(form.invalid && { invalid: form.invalid }),
      errors: form.errors,
    }),
    ...form,
    boxes,
  };
}

/** The path of a settings page by the ID of its project; it leads on to the current address. */
export const settingsPageOf = (project: unknown, screen: string): string =>
  idShape.safeParse(project).success ? `/project/${project}/settings/${screen}` : '/dashboard';
