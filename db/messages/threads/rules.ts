import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';

export const threadTypes = ['project', 'report', 'direct_message'] as const;
export type ThreadType = (typeof threadTypes)[number];

/** What binds a user to a thread. */
export interface ThreadAccess {
  type: ThreadType;
  /** The user's row in the team of the project or of its organization; null for none and for a deleted project. */
  member: 'accepted' | 'pending' | null;
  /** Whether the user made the report. */
  reporter: boolean;
  /** Whether the user takes part in the direct messages. */
  participant: boolean;
  report_closed: boolean;
}

/** The fields of a message that rules use. */
export interface RuledMessage {
  type: string;
  author_id: string | null;
  private: boolean;
  hide_identity: boolean;
}

type Viewer = Actor | null;

/** Participants and moderators; for others there is no thread. Source: api-behaviours §4, §8. */
export function whyNotSeeThread(access: ThreadAccess, viewer: Viewer): RefusalCode | null {
  if (isModerator(viewer)) return null;
  const inside = {
    project: access.member !== null,
    report: access.reporter,
    direct_message: access.participant,
  };
  return viewer && inside[access.type] ? null : 'not_found';
}

/**
 * Who sees a thread writes in it, invitees once they joined; private messages are for moderators, and so is a closed
 * report. Source: api-behaviours §8.
 */
export function whyNotPostMessage(
  access: ThreadAccess,
  message: { private: boolean },
  actor: Actor,
): RefusalCode | null {
  const absent = whyNotSeeThread(access, actor);
  if (absent || isModerator(actor)) return absent;
  if (access.type === 'project' && access.member !== 'accepted') return 'not_a_member';
  if (message.private) return 'message_private';
  return access.report_closed ? 'report_closed' : null;
}

/** Private messages do not exist for others than moderators. Source: api-behaviours §4. */
export const whyNotSeeMessage = (
  message: Pick<RuledMessage, 'private'>,
  viewer: Viewer,
): RefusalCode | null => (message.private && !isModerator(viewer) ? 'not_found' : null);

/** By its author or a moderator; what the system wrote remains. Source: api-behaviours §8. */
export function whyNotDeleteMessage(
  access: ThreadAccess,
  message: RuledMessage,
  actor: Actor,
): RefusalCode | null {
  const absent = whyNotSeeThread(access, actor) ?? whyNotSeeMessage(message, actor);
  if (absent) return absent;
  if (message.author_id !== actor.user_id && !isModerator(actor)) return 'not_yours';
  return message.type === 'text' || message.type === 'deleted' ? null : 'message_not_text';
}

/** Moderators write as moderators, not as persons: only their colleagues see who. Source: api-behaviours §4, §8. */
export const shownAuthor = (
  { author_id, hide_identity }: Pick<RuledMessage, 'author_id' | 'hide_identity'>,
  viewer: Viewer,
): string | null => (hide_identity && !isModerator(viewer) ? null : author_id);
