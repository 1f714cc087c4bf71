import { atom } from 'nanostores';

export type MessageType = 'error' | 'warning' | 'success' | 'info';
export interface Message {
  /** Milliseconds since 1970 when it first came; a later one where two came at once. */
  id: number;
  title: string;
  text: string;
  type: MessageType;
  error_code?: string;
  /** How often it came. */
  count: number;
}

/** Messages at the edge of the page, oldest first. Source: spec §3 (Notification), §4 (notifications). */
export const $messages = atom<readonly Message[]>([]);

let last = 0;

/** Adds a message; the same title, text and type again counts up, which starts its time anew. */
export function say(message: Omit<Message, 'id' | 'count'>): void {
  const all = $messages.get();
  const same = (other: Message) =>
    other.title === message.title && other.text === message.text && other.type === message.type;
  const known = all.find(same);
  if (known) {
    const again = { ...known, ...message, count: known.count + 1 };
    $messages.set(all.map((other) => (other === known ? again : other)));
    return;
  }
  last = Math.max(last + 1, Date.now());
  $messages.set([...all, { ...message, id: last, count: 1 }]);
}

export const dismiss = (id: number): void => {
  $messages.set($messages.get().filter((message) => message.id !== id));
};
