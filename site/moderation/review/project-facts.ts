import { statusTraits } from '#db/catalogue/projects/rules.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { type Facts, type Stage, stagesFor } from './review-checklist.ts';

/** What messages to its creators may name of a project. */
export const factsOf = ({ title, slug, project_type, license }: Project): Facts => ({
  title,
  slug: slug ?? '',
  type: project_type,
  license: license.id ?? '',
});

/** The stages that a project has. */
export const stagesOf = ({ project_type, versions, status }: Project): Stage[] =>
  stagesFor({ project_type, versions: versions.length, is_approved: statusTraits[status].approved });
