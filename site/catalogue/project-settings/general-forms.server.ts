import { z } from 'zod';
import { editDisclosures } from '#db/catalogue/disclosures/write.ts';
import { setProjectIcon } from '#db/catalogue/projects/icon.ts';
import { limits } from '#db/catalogue/projects/limits.ts';
import { type OwnFields, ownFields } from '#db/catalogue/projects/own-fields.ts';
import {
  monetizationStatuses,
  type Status,
  statuses,
  statusTraits,
  whyNotConfirmName,
  whyNotMove,
} from '#db/catalogue/projects/rules.ts';
import { editProject } from '#db/catalogue/publishing/edit-project.ts';
import { scheduleProject } from '#db/catalogue/publishing/schedule.ts';
import { accessTo } from '#db/catalogue/teams/access.ts';
import { type Access, permissionsOf, whyNotActInTeam } from '#db/catalogue/teams/rules.ts';
import { assertAllowed, type RefusalCode, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape, oneLineText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { defineProjectForm, settingsPageOf } from '../../platform/forms/project-form.ts';
import { formRoute } from '../../platform/route/form.ts';
import { definePictureForm, pictureFormRoute } from '../../platform/route/picture-form.ts';
import type { Api } from '../../platform/route/types.ts';
import { deleteProject } from './project-delete.server.ts';
import { editableProject } from './project-edit.server.ts';
import { concealed, projectFormRoute } from './project-form.server.ts';

/** Whether the status itself is chosen; else what it becomes once moderators approve the project. */
export const choosesStatus = ({ status }: Pick<OwnFields, 'status'>): boolean =>
  statusTraits[status].approved;

const chosenVisibility = (own: OwnFields): string =>
  choosesStatus(own) ? own.status : (own.requested_status ?? 'approved');

/** The choices of visibility, as far as the table of transitions lets this member choose. */
export function visibilityChoices(own: OwnFields, access: Access): Status[] {
  const named = ['approved', 'unlisted', 'private', 'draft'] as const;
  if (!choosesStatus(own)) return named.filter((status) => status !== 'draft');
  const from = own.status;
  return named.filter((to) => to === from || whyNotMove(from, to, { access, has_version: true }) === null);
}

export const generalForm = defineProjectForm({
  screen: 'general',
  shape: {
    title: oneLineText(3, limits.title),
    slug: z.string().trim().max(200),
    summary: oneLineText(3, limits.description_edit),
    visibility: z.enum(statuses).optional(),
    monetization: z.enum(monetizationStatuses).optional(),
  },
  parts: {
    title: { name: 'project_settings.name', fields: ['title'] },
    slug: { name: 'project_settings.address', fields: ['slug'] },
    summary: { name: 'project_settings.summary', fields: ['summary'] },
    visibility: { name: 'project_settings.visibility', fields: ['visibility'] },
    monetization: { name: 'project_settings.monetization', fields: ['monetization'] },
  },
  errors: {
    slug_invalid: 'slug',
    project_slug_taken: 'slug',
    move_refused: 'visibility',
    requested_status_invalid: 'visibility',
    unavailable_for_legal_reasons: 'visibility',
  } satisfies Partial<Record<RefusalCode, string>>,
  fieldsOf: (own) => ({
    title: own.title,
    slug: own.slug,
    summary: own.description,
    visibility: chosenVisibility(own),
    monetization: own.monetization_status,
  }),
  partsOf({ title = '', slug = '', summary = '', visibility, monetization }, own) {
    const status = (visibility ?? chosenVisibility(own)) as Status;
    const earning = (monetization ?? own.monetization_status) as OwnFields['monetization_status'];
    return {
      title: { text: title, change: { title } },
      slug: { text: slug.toLowerCase(), change: { slug } },
      summary: { text: summary, change: { description: summary } },
      visibility: {
        text: status,
        change: choosesStatus(own) ? { status } : { requested_status: status },
      },
      monetization: { text: earning, change: { monetization_status: earning } },
    };
  },
});

export const projectIconForm = definePictureForm('/_internal/project/icon');

export const archiveProjectForm = defineForm({
  action: '/_internal/project/archive',
  shape: z.object({
    project: idShape,
    archived: z.enum(['yes', 'no']),
    note: z.string().trim().max(2048).optional(),
  }),
  fields: ['note'],
  errors: {},
});

/** A time without a zone is UTC; the label says so. */
const utcTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  .transform((text) => new Date(`${text}Z`))
  .refine((time) => !Number.isNaN(time.getTime()));

export const scheduleProjectForm = defineForm({
  action: '/_internal/project/schedule',
  shape: z.object({ project: idShape, time: utcTime, requested_status: z.enum(statuses) }),
  fields: ['time', 'requested_status'],
  errors: {
    schedule_past: 'time',
    schedule_unapproved: 'time',
    requested_status_invalid: 'requested_status',
  },
});

export const clearMessageForm = defineForm({
  action: '/_internal/project/message',
  shape: z.object({ project: idShape }),
  fields: [],
  errors: {},
});

export const deleteProjectForm = defineForm({
  action: '/_internal/project/delete',
  shape: z.object({ project: idShape, confirm_name: z.string().max(200) }),
  fields: ['confirm_name'],
  errors: { project_name_differs: 'confirm_name' },
});

/** The forms of `/{type}/{id}/settings/general`. */
export function projectGeneralRoutes(api: Api, services: AppServices): void {
  const { sql, storage } = services;
  const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;
  projectFormRoute(api, services, generalForm);

  pictureFormRoute(api, projectIconForm, {
    needs: ['PROJECT_WRITE'],
    page: (id) => settingsPageOf(id, 'general'),
    saved: 'icon',
    set: async (actor, id, image) =>
      await setProjectIcon(
        begin,
        storage,
        { actor, project_id: await editableProject(sql, id, actor), now: services.now() },
        image,
      ),
  });

  const page = ({ project }: { project?: unknown }) => settingsPageOf(project, 'general');
  formRoute(api, archiveProjectForm, {
    needs: ['PROJECT_WRITE'],
    page,
    async run({ actor, fields: { project, archived, note }, now }) {
      const change = {
        set: archived === 'yes' ? [{ type: 'archived' as const, note: note || null }] : [],
        remove: archived === 'no' ? ['archived' as const] : [],
        lock_status: null,
        now,
      };
      await begin((tx) => editDisclosures(tx, actor, project, change)).catch(concealed);
      return { to: `${page({ project })}?saved=1` };
    },
  });

  formRoute(api, scheduleProjectForm, {
    needs: ['PROJECT_WRITE'],
    page,
    async run({ actor, fields: { project, ...release }, now }) {
      await begin((tx) => scheduleProject(tx, actor, project, { ...release, now })).catch(concealed);
      return { to: `${page({ project })}?saved=1` };
    },
  });

  formRoute(api, clearMessageForm, {
    needs: ['PROJECT_WRITE'],
    page,
    async run({ actor, fields: { project }, now }) {
      const change = { moderation_message: null, moderation_message_body: null };
      await begin((tx) => editProject(tx, actor, project, { change, body: null, api: 3, now })).catch(
        concealed,
      );
      return { to: `${page({ project })}?saved=1` };
    },
  });

  formRoute(api, deleteProjectForm, {
    needs: ['PROJECT_DELETE'],
    page,
    async run({ actor, fields: { project: id, confirm_name }, now }) {
      await assertMayDelete(sql, actor, { id, confirm_name });
      await deleteProject({ sql, services, params: { id }, actor, begin, now });
      return { to: '/dashboard' };
    },
  });
}

/** Refuses `not_found` to users without rights, `permission_missing`, and `project_name_differs` unless the name was typed. */
async function assertMayDelete(
  sql: Db,
  actor: Actor,
  { id, confirm_name }: { id: string; confirm_name: string },
): Promise<void> {
  const [own, access] = await Promise.all([ownFields(sql, id), accessTo(sql, id, actor)]);
  if (!own || permissionsOf(access) === null) throw new Refused('not_found');
  assertAllowed(whyNotActInTeam(access, 'DELETE_PROJECT'), { permission: 'DELETE_PROJECT' });
  assertAllowed(whyNotConfirmName(own.title, confirm_name));
}
