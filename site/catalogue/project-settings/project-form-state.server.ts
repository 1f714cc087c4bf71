import { type LastEdit, lastEdit } from '#db/catalogue/projects/last-edit.ts';
import { refusedEdit } from '#db/catalogue/projects/refused-edits.ts';
import { columnsOf } from '#db/catalogue/publishing/edit-project.ts';
import { baseOf, changeOf } from '../../platform/forms/form-parts.ts';
import { type FormState, formState, savedForm } from '../../platform/forms/form-state.ts';
import type { FieldValues, ProjectForm } from '../../platform/forms/project-form.ts';
import type { ProjectSettings } from './settings.server.ts';

/** Two versions of one part. */
interface Difference {
  part: string;
  yours: string;
  theirs: string;
  /** The fields of the other version. */
  fields: FieldValues;
}

/** What somebody else changed while the form was open. */
export interface FormConflict {
  /** Who changed it last, and when; null when that is no longer known. */
  last: LastEdit | null;
  differences: Difference[];
}

/** How a form of a project's settings stands on its page. */
export interface ProjectFormState extends FormState {
  /** What the fields show: what was typed, else what is stored. An unchecked box is absent. */
  values: Record<string, string>;
  hidden: Record<string, string | null>;
  conflict: FormConflict | null;
  /** What the form would send to undo what was just saved; null when there is nothing. */
  previous: Record<string, string> | null;
}

type FormPage = Parameters<typeof formState>[0];

/** The state of a form of a project's settings, after a conflict with what was typed and what somebody else saved. */
export async function projectFormState(
  page: FormPage,
  form: ProjectForm,
  { actor, own }: Pick<ProjectSettings, 'actor' | 'own'>,
): Promise<ProjectFormState> {
  const stored = form.fieldsOf(own);
  const hidden = { project: own.id, revision: String(own.revision), base: baseOf(form, own) };
  const previous = savedForm(page, form);
  if (page.url.searchParams.get('error') === 'revision_conflict') {
    const of = { user_id: actor.user_id, project_id: own.id, form: form.action };
    const edit = await refusedEdit(page.locals.services.sql, of);
    if (edit) {
      const { conflict, values } = await conflictOf(page, form, { own, edit });
      return {
        action: form.action,
        errors: [],
        refused: true,
        values,
        hidden: { ...hidden, sent_back: '1' },
        conflict,
        previous,
      };
    }
  }
  const state = formState(page, form);
  if (!state.refused) return { ...state, values: stored, hidden, conflict: null, previous };
  const kept = Object.fromEntries(Object.entries(stored).filter(([name]) => !form.boxes.includes(name)));
  const { revision = hidden.revision, base = hidden.base, ...typed } = state.values;
  return {
    ...state,
    values: { ...kept, ...typed },
    // what the page came with first, so that nothing is saved over unseen
    hidden: { ...hidden, revision, base },
    conflict: null,
    previous,
  };
}

async function conflictOf(
  { locals }: FormPage,
  form: ProjectForm,
  { own, edit }: Pick<ProjectSettings, 'own'> & { edit: { fields: FieldValues; touched: string[] } },
) {
  const stored = form.fieldsOf(own);
  const theirs = form.partsOf(stored, own);
  const touched = edit.touched.filter((part) => Object.hasOwn(form.parts, part));
  const mine = form.partsOf(edit.fields, own);
  const differences = touched
    .filter((part) => mine[part]!.text !== theirs[part]!.text)
    .map((part) => ({
      part,
      yours: mine[part]!.text,
      theirs: theirs[part]!.text,
      fields: Object.fromEntries(form.parts[part]!.fields.map((name) => [name, stored[name]])),
    }));
  const typed = touched.flatMap((part) => form.parts[part]!.fields);
  const values = Object.fromEntries(
    Object.keys({ ...stored, ...edit.fields }).flatMap((name) => {
      const value = typed.includes(name) ? edit.fields[name] : stored[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const columns = columnsOf(changeOf(form, { fields: edit.fields, own, parts: touched }));
  const last = await lastEdit(locals.services.sql, own.id, columns);
  return { values, conflict: { last, differences } };
}
