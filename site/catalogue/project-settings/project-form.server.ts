import type { z } from 'zod';
import { projectForAction } from '#db/catalogue/projects/for-action.ts';
import { type OwnFields, ownFields } from '#db/catalogue/projects/own-fields.ts';
import { revisionOf } from '#db/catalogue/projects/read.ts';
import { forgetRefusedEdit, storeRefusedEdit } from '#db/catalogue/projects/refused-edits.ts';
import { editProject } from '#db/catalogue/publishing/edit-project.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { AppServices } from '../../platform/context.ts';
import { changeOf, touchedParts } from '../../platform/forms/form-parts.ts';
import { type FieldValues, type ProjectForm, settingsPageOf } from '../../platform/forms/project-form.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { renderedBody } from './project-edit.server.ts';

interface ProjectRoute {
  /** What it does beside its change, in the same transaction, given the project before and what the form says. */
  beside?(tx: Db, actor: Actor, own: OwnFields, given: { fields: FieldValues; now: Date }): Promise<void>;
  /** As in `formRoute`. */
  limit_bytes?: number;
}

/** Longer fields are not offered to undo: the cookie that brings them would not hold them. */
const max_previous = 3000;

/**
 * The route of a form of a project's settings. It saves only the parts that were changed, each with the permission that
 * `editProject` asks for. If somebody else changed one of them after the page came, nothing is saved: what was typed is
 * stored for a day, and the page shows both versions. Refuses what `formRoute` and `editProject` refuse, `revision_conflict`
 * among them, and `not_found` to users without rights on the project.
 */
export function projectFormRoute<S extends z.ZodType>(
  api: Api,
  { sql, ...services }: AppServices,
  form: ProjectForm<S>,
  { beside, limit_bytes }: ProjectRoute = {},
): void {
  formRoute(api, form, {
    needs: ['PROJECT_WRITE'],
    ...(limit_bytes && { limit_bytes }),
    page: ({ project }) => settingsPageOf(project, form.screen),
    elsewhere: (code) => code === 'revision_conflict',
    async run({ c, actor, fields: parsed, now }) {
      const fields = parsed as FieldValues & { project: string; revision?: number };
      const id = fields.project;
      const of = { user_id: actor.user_id, project_id: id, form: form.action };
      await projectForAction(sql, id, actor);
      const before = await ownFields(sql, id);
      if (!before) throw new Refused('not_found');
      form.check?.(fields, before);
      const parts = touchedParts(form, fields, before);
      const change = changeOf(form, { fields, own: before, parts });
      const call = { sql, services: { sql, ...services }, request: c.req.raw, actor };
      try {
        const body = await renderedBody(call, id, change);
        const revision = (await sql.begin(async (tx) => {
          const expected =
            fields.revision === undefined ? null : { revision: fields.revision, of: 'columns' as const };
          await editProject(tx, actor, id, { change, body, api: 3, now, expected });
          await beside?.(tx, actor, before, { fields, now });
          if (fields.sent_back !== undefined) await forgetRefusedEdit(tx, of);
          return await revisionOf(tx, id);
        })) as number;
        const previous = { ...form.fieldsOf(before), project: id, revision: String(revision) };
        const canUndo =
          parts.length > 0 &&
          JSON.stringify(previous).length < max_previous &&
          isTaken(form, previous, before);
        return { to: `${settingsPageOf(id, form.screen)}?saved=1`, ...(canUndo && { previous }) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === 'revision_conflict')
          await storeRefusedEdit(sql, of, { fields: textsOf(form, fields), touched: parts }, now);
        return concealed(error);
      }
    },
  });
}

/** Whether a form takes these fields: what was never chosen cannot be chosen again. */
function isTaken(form: ProjectForm, fields: FieldValues, own: OwnFields): boolean {
  if (!form.shape.safeParse(fields).success) return false;
  try {
    form.check?.(fields, own);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

/** Refuses `not_found` where `error` says that somebody is no member: to users without rights a hidden project looks absent. */
export function concealed(error: unknown): never {
  if (error instanceof Refused && error.code === 'not_a_member') throw new Refused('not_found');
  throw error;
}

/** What was typed, by field. */
const textsOf = ({ fields: names }: ProjectForm, fields: FieldValues): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
  );
