import { atom } from 'nanostores';

export type MessageType = 'error' | 'warning' | 'success' | 'info';
export interface Message {
  id: number;
  title: string;
  text: string;
  type: MessageType;
  error_code?: string;
  count: number;
}

/** Messages at the edge of the page, oldest first. Source: spec §4 (notifications). */
export const $messages = atom<readonly Message[]>([]);

let last = 0;

/** Adds a message; the same title, text and type again counts up and starts its time anew. */
export function say(message: Omit<Message, 'id' | 'count'>): void {
  const same = (other: Message) =>
    other.title === message.title && other.text === message.text && other.type === message.type;
  const known = $messages.get().find(same);
  last = Math.max(last + 1, Date.now());
  const next: Message = { ...message, id: last, count: (known?.count ?? 0) + 1 };
  $messages.set(
    known ? $messages.get().map((other) => (other === known ? next : other)) : [...$messages.get(), next],
  );
}

export const dismiss = (id: number): void => {
  $messages.set($messages.get().filter((message) => message.id !== id));
};
