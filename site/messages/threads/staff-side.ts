import type { Translate } from '#content/messages.ts';
import { type ReplyKind, type ReplyValues, repliesOf, replyText, replyTitle } from '#content/replies.ts';

/** What moderators have in a thread beyond its members. */
export interface StaffSide {
  /** Texts to start from, as they stand in this thread. */
  replies: ReadonlyArray<{ name: string; title: string; text: string }>;
  /** The report that the thread belongs to. */
  report?: { id: string; closed: boolean };
}

/** The staff's side of a thread: its canned replies with the names of what it is about. */
export const staffSide = (
  t: Translate,
  kind: ReplyKind,
  values: ReplyValues,
  report?: StaffSide['report'],
): StaffSide => ({
  replies: repliesOf[kind].map((name) => ({
    name,
    title: t(replyTitle(name)),
    text: t(replyText(name), { ...values }),
  })),
  ...(report && { report }),
});
