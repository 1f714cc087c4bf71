import type { NotificationBodies, NotificationType } from './rules.ts';
import type { AnyRow, Subject, ValueWriter } from './text-row.ts';
import { notificationTexts } from './texts.ts';

/** Where a sentence stands: a mail may say something else than a page. */
interface Place {
  of?: 'page' | 'mail';
  /** How many are said one by one, of a type whose notifications each say something else. */
  named?: number;
}

const rowOf = (type: NotificationType): AnyRow => notificationTexts[type] as AnyRow;

const rowAt = (type: NotificationType, of: Place['of']): AnyRow => {
  const row = rowOf(type);
  return of === 'mail' ? { ...row, ...row.mail } : row;
};

/** The sentence about notifications of one type; null when what they are about is hidden from their reader or gone. */
export function sentenceOf(
  type: NotificationType,
  subject: Subject,
  write: ValueWriter,
  { of = 'page', named = 1 }: Place = {},
): string | null {
  const { text, values, more } = rowAt(type, of);
  const written = (one: Subject): string | null => {
    const key = text(one);
    return key === null ? null : write.text(key, values(one, write));
  };
  if (more === undefined) return written(subject);
  const said = subject.bodies.slice(0, named).map((body) => written({ ...subject, body }));
  const [newest, left] = [said.join('. '), subject.count - said.length];
  return left > 0 ? write.text(more, { count: left, newest }) : newest;
}

/** What a page says of notifications whose sentence is null. */
export function hiddenSentence(type: NotificationType, subject: Subject, write: ValueWriter): string {
  const { hidden, values } = rowOf(type);
  return hidden ? write.text(hidden(subject), values(subject, write)) : '';
}

/** The subject and the text of a mail about nothing else, each null where it is the sentence. */
export function aloneTexts(
  type: NotificationType,
  subject: Subject,
  write: ValueWriter,
): { title: string | null; text: string | null } {
  const { alone, values } = rowOf(type);
  const written = (key: string | null | undefined): string | null =>
    key ? write.text(key, values(subject, write)) : null;
  return { title: written(alone?.title(subject)), text: written(alone?.text) };
}

/** The page that a sentence leads to; null where there is none that its reader may see. */
export const addressOf = (
  type: NotificationType,
  subject: Subject,
  of: Place['of'] = 'page',
): string | null => rowAt(type, of).address(subject);

/** What a notification is about, for a place that knows nothing but its body. */
export const bareSubject = <T extends NotificationType>(body: NotificationBodies[T]): Subject<T> => ({
  body,
  bodies: [body],
  count: 1,
  project: null,
  organization: null,
  person: null,
  invitation: null,
  versions: [],
  paths: { project: null, organization: null, server: null },
});

/** The sentence of one notification, for a place that knows nothing but its body. */
export const sentenceOfBody = <T extends NotificationType>(
  type: T,
  body: NotificationBodies[T],
  write: ValueWriter,
): string => sentenceOf(type, bareSubject<NotificationType>(body), write) ?? '';
