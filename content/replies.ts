import type { MessageKey } from './keys.ts';

/**
 * The canned replies of moderators, as content: a title in the menu (`replies.title_<name>`) and a Markdown text
 * (`replies.text_<name>`), which moderators still change before they send it. Source: screens §E.4.
 */
const reportReplies = [
  'action_taken',
  'author_alerted',
  'metadata_corrected',
  'insufficient',
  'reupload_insufficient',
  'not_spam',
  'scanner_picture',
  'function_disclosed',
  'suspected_ai',
  'not_a_hack',
  'gameplay',
  'platform',
  'stale',
] as const;
const projectReplies = ['automatic', 'addressed', 'proof'] as const;

/** The replies by the kind of thread they belong to. */
export const repliesOf = { report: reportReplies, project: projectReplies } as const;
export type ReplyKind = keyof typeof repliesOf;
type ReplyName = (typeof repliesOf)[ReplyKind][number];

/** What the texts may name, and what a thread fills in: an unknown name in a text is refused by `replies.test.ts`. */
export const replyVariables = ['item', 'reason'] as const;
export type ReplyValues = Record<(typeof replyVariables)[number], string>;

export const replyTitle = (name: ReplyName): MessageKey => `replies.title_${name}` as const;
export const replyText = (name: ReplyName): MessageKey => `replies.text_${name}` as const;
