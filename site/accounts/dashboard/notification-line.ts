import type { Messages } from '#content/messages.ts';
import { valueWriter } from '#content/value-writer.ts';
import type { NotificationNames } from '#db/accounts/notifications/names.ts';
import { subjectOf } from '#db/accounts/notifications/subject.ts';
import type { NotificationGroup } from '#db/messages/notifications/read.ts';
import type { SiteType } from '#db/messages/notifications/rules.ts';
import { addressOf, hiddenSentence, sentenceOf } from '#db/messages/notifications/sentence.ts';
import { organizationPath, projectPath } from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';

/** How a group of notifications is said on a page. */
export interface NotificationLine {
  key: string;
  type: SiteType;
  /** One sentence about the whole group. */
  text: string;
  /** The page that it is about; null when there is none that the user may see. */
  href: string | null;
  /** The picture before it: that of a project, of a person, or none. */
  project_icon: string | null | undefined;
  person: { username: string; avatar_url: string | null } | null;
  /** Of the newest one. RFC 3339. */
  created: string;
  is_unread: boolean;
  /** The newest of its versions, and how many there are beside them. */
  versions: Array<{ text: string; href: string }>;
  more_versions: number;
  /** The role that an invitation offers. */
  role: string | null;
  /** The invitation that waits for an answer. */
  invitation: { of: 'team' | 'server'; id: string; name: string } | null;
}

/** Versions that are named of one project. */
const named_versions = 5;

/** The line of a group, in the language of `messages`; names stand isolated, so that they turn no sentence around. */
export function notificationLine(
  messages: Messages,
  { key, count, unread, notifications }: NotificationGroup,
  names: NotificationNames,
): NotificationLine {
  const { body, created } = notifications[0]!;
  const type = body.type as SiteType;
  const subject = subjectOf(notifications, names, {
    count,
    paths: ({ project, organization, server_id }) => ({
      project: project && projectPath(project),
      organization: organization && organizationPath(organization.slug),
      server: server_id !== null && names.openable.has(server_id) ? `/servers/manage/${server_id}` : null,
    }),
  });
  const write = valueWriter(messages, bidiIsolated);
  const versions = subject.versions.slice(0, named_versions).map(({ version_number, path_end }) => ({
    text: version_number,
    href: `${subject.paths.project}/version/${path_end}`,
  }));
  return {
    key,
    type,
    text: sentenceOf(type, subject, write) ?? hiddenSentence(type, subject, write),
    href: addressOf(type, subject),
    project_icon: names.projects.get(String(body.project_id))?.icon_url,
    created,
    is_unread: unread > 0,
    versions,
    more_versions: versions.length === 0 ? 0 : count - versions.length,
    ...invitationIn(messages, body, names),
  };
}

/** What an invitation adds to its line: who invites, the role that it offers, and what can be answered. */
function invitationIn(
  { t }: Messages,
  body: Readonly<Record<string, unknown>>,
  names: NotificationNames,
): Pick<NotificationLine, 'person' | 'role' | 'invitation'> {
  if (body.invited_by === undefined) return { person: null, role: null, invitation: null };
  const person = names.people.get(String(body.invited_by)) ?? null;
  if (body.server_id !== undefined) {
    const server = names.servers.get(String(body.server_id));
    if (!server) return { person, role: null, invitation: null };
    const role = t(`server_access.role_${server.role}`);
    return { person, role, invitation: { of: 'server', id: server.server_id, name: server.server } };
  }
  const team_id = String(body.team_id);
  const name =
    names.projects.get(String(body.project_id))?.title ??
    names.organizations.get(String(body.organization_id))?.name;
  return {
    person,
    role: typeof body.role === 'string' && body.role !== '' ? body.role : null,
    invitation:
      name !== undefined && names.invitations.has(team_id) ? { of: 'team', id: team_id, name } : null,
  };
}
