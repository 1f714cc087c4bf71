import { isSiteType, type NotificationBodies, type NotificationType, type SiteType } from './rules.ts';
import { bareSubject } from './sentence.ts';
import type { AnySiteRow, ApiText, Subject } from './text-row.ts';
import { notificationTexts } from './texts.ts';

interface Stored {
  user_id: string;
  type: string;
  body: object;
}

/** What a client of the API displays of a notification, in en-US. */
interface NotificationText {
  type: SiteType | 'unknown';
  name: string;
  text: string;
  link: string;
  actions: NonNullable<ApiText['actions']>;
}

/** What a notification is about, with the addresses of programs: by id, whether their user may see what is there or not. */
function subjectByIds(stored: object): Subject {
  const body = stored as Readonly<Record<string, string | null | undefined>>;
  const path = (folder: string, id: string | null | undefined) => (id ? `${folder}/${id}` : null);
  return {
    ...bareSubject<NotificationType>(stored as NotificationBodies[NotificationType]),
    paths: {
      project: path('/project', body.project_id),
      organization: path('/organization', body.organization_id),
      server: path('/servers/manage', body.server_id),
    },
  };
}

/**
 * The type and the text of a stored notification. Types that this version does not know, or that no screen shows, have no text of
 * their own. Source: api-behaviours §9.
 */
export function textOf({ user_id, type, body }: Stored): NotificationText {
  if (!isSiteType(type)) return { type: 'unknown', name: '', text: '', link: '#', actions: [] };
  const row = notificationTexts[type] as AnySiteRow;
  const subject = subjectByIds(body);
  const { name, text, link = row.address(subject), actions = [] } = row.api(subject, user_id);
  return { type, name, text, link: link ?? '#', actions };
}
