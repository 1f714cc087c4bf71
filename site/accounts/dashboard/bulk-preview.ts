import type { MemberProject } from '#db/catalogue/projects/of-member.ts';
import type { LinkName } from './bulk-edit-forms.server.ts';

/** What a change of several projects does to one of them. */
export interface ProjectPreview {
  project: MemberProject;
  links: Array<{ name: LinkName; from: string | null; to: string | null }>;
  added: string[];
  removed: string[];
}

export const isUnchanged = ({ links, added, removed }: ProjectPreview): boolean =>
  links.length + added.length + removed.length === 0;
