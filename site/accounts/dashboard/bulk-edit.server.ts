import type { Translate } from '#content/messages.ts';
import type { MemberProject } from '#db/catalogue/projects/of-member.ts';
import { bulkLinks, linkPlatform } from '#db/catalogue/projects/stored-fields.ts';
import { type BulkChange, editedLists } from '#db/catalogue/publishing/edit-projects.ts';
import { errorsOfShape } from '../../platform/forms/form-definition.ts';
import type { FormState } from '../../platform/forms/form-state.ts';
import { bulkChangeOf, bulkEditForm, max_together } from './bulk-edit-forms.server.ts';
import type { ProjectPreview } from './bulk-preview.ts';

/** Exactly what `change` does to the project: only what becomes different. */
function previewOf(project: MemberProject, change: BulkChange): ProjectPreview {
  const before = [...project.categories, ...project.additional_categories];
  const { categories, additional_categories } = editedLists(project, change);
  const after = [...categories, ...additional_categories];
  return {
    project,
    links: bulkLinks.flatMap((column) => {
      const name = linkPlatform(column);
      const [from, to] = [project[column], change.links[name]];
      return to === undefined || to === from ? [] : [{ name, from, to }];
    }),
    added: after.filter((tag) => !before.includes(tag)),
    removed: before.filter((tag) => !after.includes(tag)),
  };
}

/** The page that edits projects together: what was chosen, what was typed, and the preview once it was asked for. */
export interface BulkEditPage {
  projects: MemberProject[];
  form: FormState;
  /** Tags that were chosen to be added and removed. */
  add: readonly string[];
  remove: readonly string[];
  /** Null before the preview, and when something is wrong. */
  previews: ProjectPreview[] | null;
}

/** Reads the page from its query; `mine` are the projects of its user. */
export function readBulkEdit(
  query: URLSearchParams,
  mine: readonly MemberProject[],
  t: Translate,
): BulkEditPage {
  const chosen = new Set(query.getAll('id'));
  const projects = mine.filter(({ id, editable }) => editable && chosen.has(id)).slice(0, max_together);
  const [add, remove] = [query.getAll('add'), query.getAll('remove')];
  const values = Object.fromEntries(query) as Record<string, string>;
  const form: FormState = { action: bulkEditForm.action, errors: [], values, refused: false };
  const page = { projects, form, add, remove, previews: null };
  if (!query.has('preview') || projects.length === 0) return page;
  const given = {
    ...values,
    ids: projects.map(({ id }) => id).join(' '),
    add: add.join(' '),
    remove: remove.join(' '),
  };
  const parsed = bulkEditForm.shape.safeParse(given);
  if (!parsed.success)
    return { ...page, form: { ...form, errors: errorsOfShape(bulkEditForm, parsed.error, t) } };
  const change = bulkChangeOf(parsed.data);
  return { ...page, previews: projects.map((project) => previewOf(project, change)) };
}
