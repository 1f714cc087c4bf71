import { type Organization, visibleOrganizations } from '../../catalogue/organizations/read.ts';
import { type ProjectLabel, projectLabels } from '../../catalogue/projects/labels.ts';
import { type VersionLabel, versionLabels } from '../../catalogue/versions/labels.ts';
import { openableServers, serverInvitations } from '../../hosting/servers/people/read.ts';
import type { ServerInvitation } from '../../hosting/servers/people/view.ts';
import { openInvitations } from '../../messages/notifications/read.ts';
import { usersByIdsOrNames } from '../../platform/people/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { User } from '../../platform/people/shape.ts';
import type { ReadContext } from '../../platform/read-context.ts';

/** What notifications are about, by id, as far as their user may see it; hidden and deleted things are absent. */
export interface NotificationNames {
  projects: Map<string, ProjectLabel>;
  versions: Map<string, VersionLabel>;
  people: Map<string, User>;
  organizations: Map<string, Organization>;
  /** Teams whose invitation waits for an answer. */
  invitations: Set<string>;
  /** Servers whose invitation waits for an answer. */
  servers: Map<string, ServerInvitation>;
  /** Servers that the user may open; those that are deleted, or no longer theirs, are not. */
  openable: ReadonlySet<string>;
}

/** The names of everything that the notifications are about: one query for each kind, however many they are. */
export async function notificationNames(
  context: ReadContext,
  notifications: ReadonlyArray<{ body: Readonly<Record<string, unknown>> }>,
  actor: Actor,
): Promise<NotificationNames> {
  const ids = (field: string): string[] => [
    ...new Set(notifications.flatMap(({ body }) => (typeof body[field] === 'string' ? [body[field]] : []))),
  ];
  const [projects, versions, people, organizations, invitations, servers, openable] = await Promise.all([
    projectLabels(context, ids('project_id'), actor),
    versionLabels(context.sql, ids('version_id')),
    usersByIdsOrNames(context, [...ids('invited_by'), ...ids('published_by')]),
    visibleOrganizations(context, ids('organization_id'), actor),
    openInvitations(context.sql, actor.user_id, ids('team_id')),
    serverInvitations(context.sql, actor, ids('server_id')),
    openableServers(context.sql, actor, ids('server_id')),
  ]);
  const byId = <T extends { id: string }>(items: readonly T[]) =>
    new Map(items.map((item) => [item.id, item]));
  return {
    projects,
    versions,
    people: byId(people),
    organizations: byId(organizations),
    invitations,
    servers: new Map(servers.map((one) => [one.server_id, one])),
    openable,
  };
}
