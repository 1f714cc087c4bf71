import type { NotificationBodies, NotificationType, SiteType } from './rules.ts';

/** What stands in a message of `content/locales`, by the names that it has there. */
export type TextValues = Record<string, string | number>;

/** How a place writes what stands in its sentences, in the language of its reader. */
export interface ValueWriter {
  /** A name that people chose. */
  name(text: string): string;
  number(value: number): string;
  /** A share from 0 to 1. */
  percent(share: number): string;
  /** Minor units of a currency. */
  amount(minor: number, currency: string): string;
  /** A moment (RFC 3339). */
  time(at: string): string;
  list(items: readonly string[]): string;
  /** A message of `content/locales`, by its key. */
  text(key: string, values?: TextValues): string;
}

/** Pages as a place links to them; null where there is none that the reader may open. */
export interface SubjectPaths {
  project: string | null;
  organization: string | null;
  server: string | null;
}

/**
 * What notifications of one type are about, as far as their reader may see it: what is hidden or gone is null. Several are about
 * the same, the newest first.
 */
export interface Subject<T extends NotificationType = NotificationType> {
  /** Of the newest one. */
  body: NotificationBodies[T];
  bodies: ReadonlyArray<NotificationBodies[T]>;
  /** How many there are: more than `bodies` where only the newest were read. */
  count: number;
  project: { title: string } | null;
  organization: { name: string } | null;
  /** Who invites, or published. */
  person: { username: string } | null;
  /** The invitation to a server, as long as it waits for an answer. */
  invitation: { server: string; owner: string } | null;
  /** The versions that they name, each with the last part of its address. */
  versions: ReadonlyArray<{ version_number: string; path_end: string }>;
  paths: SubjectPaths;
}

/** What programs show of a notification, in en-US. It names no project: that may be hidden by now. */
export interface ApiText {
  name: string;
  text: string;
  /** Where it leads, if that is not the address of the page. */
  link?: string | null;
  actions?: Array<{ name: string; action_route: [method: string, path: string] }>;
}

/** What a sentence consists of: the key of its message, what stands in it, and the page that it leads to. */
interface Sentence<T extends NotificationType> {
  /** Null when what it is about is hidden from the reader or gone. */
  text: (subject: Subject<T>) => string | null;
  values: (subject: Subject<T>, write: ValueWriter) => TextValues;
  address: (subject: Subject<T>) => string | null;
}

/** One type of notification in words. */
interface TextRow<T extends NotificationType> extends Sentence<T> {
  /** What a page says where `text` gives null; mails leave such notifications out. */
  hidden?: (subject: Subject<T>) => string;
  /**
   * Of a type whose notifications each say something else: the message that adds how many (`count`) are not named to those that
   * are (`newest`).
   */
  more?: string;
  /** Where a mail says something else, or leads elsewhere. */
  mail?: Partial<Sentence<T>>;
  /** The subject of a mail about nothing else, null for the sentence; and what that mail says instead of the sentence. */
  alone?: { title: (subject: Subject<T>) => string | null; text?: string };
}

/** One that screens and clients of the API show too. */
interface SiteRow<T extends SiteType> extends TextRow<T> {
  api: (subject: Subject<T>, user_id: string) => ApiText;
}

export type NotificationTexts = {
  readonly [T in NotificationType]: T extends SiteType ? SiteRow<T> : TextRow<T>;
};
/** Rows of a type that is known only when the program runs. */
export type AnyRow = TextRow<NotificationType>;
export type AnySiteRow = AnyRow & { api: (subject: Subject, user_id: string) => ApiText };

/** What stands in most sentences: how many there are, and whom and what they are about. */
export const subjectValues = (
  { count, project, organization, person }: Subject,
  write: ValueWriter,
): TextValues => ({
  count,
  shown: write.number(count),
  project: write.name(project?.title ?? ''),
  organization: write.name(organization?.name ?? ''),
  person: write.name(person?.username ?? ''),
});
