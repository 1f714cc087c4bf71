import { type RosterRow, rosterOf } from '#db/catalogue/members/roster.ts';
import { type Team, whyNotManageTeam, whyNotTransfer } from '#db/catalogue/members/rules.ts';
import { organizationsOfMember } from '#db/catalogue/organizations/of-member.ts';
import { type Organization, visibleOrganizations } from '#db/catalogue/organizations/read.ts';
import { whyNotRemoveProject } from '#db/catalogue/organizations/rules.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import type { Access } from '#db/catalogue/teams/rules.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { formState } from '../../platform/forms/form-state.ts';
import { organizationSettingsPath, projectSettingsPath } from '../../platform/paths/routes.ts';
import { addProjectForm, removeProjectForm } from '../organization-settings/project-forms.server.ts';
import {
  editMemberForm,
  inviteForm,
  orderMembersForm,
  removeMemberForm,
  transferForm,
} from './member-forms.server.ts';

/** What the members screen shows of a team, of a project or an organization. */
export interface TeamView extends Team {
  team_id: string;
  /** The path of the screen. */
  page: string;
  actor: Actor;
  /** Accepted members, the owner first. */
  members: RosterRow[];
  invited: RosterRow[];
  may: { invite: boolean; edit: boolean; remove: boolean; transfer: boolean };
  /** The organization that owns the project. */
  owner: { organization: Organization; members: RosterRow[]; may_remove: boolean } | null;
  /** The organizations that the actor may give the project to; null where that is not the question. */
  candidates: Array<Pick<Organization, 'id' | 'name'>> | null;
  project_id: string | null;
}

interface TeamOf extends Team {
  team_id: string;
  page: string;
}

async function viewOf(
  services: ReadContext,
  actor: Actor,
  { of, access, team_id, page }: TeamOf,
): Promise<TeamView> {
  const roster = await rosterOf(services, team_id);
  const may = (permission: Parameters<typeof whyNotManageTeam>[1]) =>
    whyNotManageTeam({ of, access }, permission) === null;
  return {
    ...{ of, access, team_id, page, actor },
    members: roster.filter(({ accepted }) => accepted),
    invited: roster.filter(({ accepted }) => !accepted),
    may: {
      invite: may('MANAGE_INVITES'),
      edit: may('EDIT_MEMBER'),
      remove: may('REMOVE_MEMBER'),
      transfer: whyNotTransfer({ of, access, in_organization: false }, transferable) === null,
    },
    ...{ owner: null, candidates: null, project_id: null },
  };
}

/** Somebody whom every owner may make the owner: what remains depends on the caller. */
const transferable = { is_owner: false, accepted: true, permissions: 0, organization_permissions: null };

/** The team of a project, with the organization that owns it or may get it. */
export async function loadProjectTeam(
  services: ReadContext,
  { project, actor, access }: { project: Project; actor: Actor; access: Access },
): Promise<TeamView> {
  const page = projectSettingsPath(project, 'members');
  const view = { ...(await viewOf(services, actor, { of: 'project', access, team_id: project.team, page })) };
  view.project_id = project.id;
  if (project.organization === null)
    return { ...view, candidates: await candidatesOf(services, actor, access) };
  const [organization] = await visibleOrganizations(services, [project.organization], actor);
  if (!organization) return view;
  const members = (await rosterOf(services, organization.team_id)).filter(({ accepted }) => accepted);
  const removal = { owned: true, new_owner: transferable };
  const may_remove = whyNotRemoveProject(access, removal) === null;
  view.may.transfer = false;
  return { ...view, owner: { organization, members, may_remove } };
}

/** The organizations that the owner of a project may give it to. */
const candidatesOf = async (services: ReadContext, actor: Actor, access: Access) =>
  access.project?.is_owner
    ? (await organizationsOfMember(services, actor)).filter(({ may_add_project }) => may_add_project)
    : null;

/** The team of an organization. */
export const loadOrganizationTeam = async (
  services: ReadContext,
  { organization, actor, access }: { organization: Organization; actor: Actor; access: Access },
): Promise<TeamView> => {
  const page = organizationSettingsPath(organization, 'members');
  return await viewOf(services, actor, { of: 'organization', access, team_id: organization.team_id, page });
};

/** The forms of the members screen as they stand on a page. */
export const teamForms = (page: Parameters<typeof formState>[0]) => ({
  inviting: formState(page, inviteForm),
  editing: formState(page, editMemberForm),
  ordering: formState(page, orderMembersForm),
  removing: formState(page, removeMemberForm),
  transferring: formState(page, transferForm),
  adding: formState(page, addProjectForm),
  releasing: formState(page, removeProjectForm),
});
export type TeamForms = ReturnType<typeof teamForms>;
