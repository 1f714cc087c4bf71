import type { Organization } from '../../catalogue/organizations/read.ts';
import type { ProjectLabel } from '../../catalogue/projects/labels.ts';
import { addressEnd } from '../../catalogue/versions/rules.ts';
import type { NotificationBodies, NotificationType } from '../../messages/notifications/rules.ts';
import type { Subject, SubjectPaths } from '../../messages/notifications/text-row.ts';
import type { NotificationNames } from './names.ts';

type Body = Readonly<Record<string, unknown>>;

/** What a place makes its links of; null where its reader may not see it. */
interface Linked {
  project: ProjectLabel | null;
  organization: Organization | null;
  /** Whether they may open it or not. */
  server_id: string | null;
}

/**
 * What notifications of one type and one subject are about, the newest first, by the names that their reader may see. `count` says
 * how many there are where only the newest were read; `paths` how the place links to pages.
 */
export function subjectOf(
  notifications: ReadonlyArray<{ body: Body }>,
  names: NotificationNames,
  { count = notifications.length, paths }: { count?: number; paths: (linked: Linked) => SubjectPaths },
): Subject {
  const bodies = notifications.map(({ body }) => body);
  const body = bodies[0]!;
  const project = names.projects.get(String(body.project_id)) ?? null;
  const organization = names.organizations.get(String(body.organization_id)) ?? null;
  const versions = project ? bodies.flatMap((of) => names.versions.get(String(of.version_id)) ?? []) : [];
  const typed = (of: Body) => of as unknown as NotificationBodies[NotificationType];
  return {
    body: typed(body),
    bodies: bodies.map(typed),
    count,
    project,
    organization,
    person: names.people.get(String(body.invited_by ?? body.published_by)) ?? null,
    invitation: names.servers.get(String(body.server_id)) ?? null,
    versions: versions.map((version) => ({
      version_number: version.version_number,
      path_end: addressEnd(version, version.by_id),
    })),
    paths: paths({
      project,
      organization,
      server_id: typeof body.server_id === 'string' ? body.server_id : null,
    }),
  };
}
