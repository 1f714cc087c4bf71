import { atom } from 'nanostores';

type ToastType = 'error' | 'warning' | 'success' | 'info';
export interface Toast {
  /** Milliseconds since 1970 of its first occurrence; unique. */
  id: number;
  title: string;
  text: string;
  type: ToastType;
  error_code?: string;
  /** How often it occurred. */
  count: number;
}

/** The visible toasts, oldest first. Source: specification §3 (Notification), §4 (notifications). */
export const $toasts = atom<readonly Toast[]>([]);

let last = 0;

/** Shows a toast; the same title, text and type again increases its count and restarts its timer. */
export function showToast(message: Omit<Toast, 'id' | 'count'>): void {
  const all = $toasts.get();
  const same = (other: Toast) =>
    other.title === message.title && other.text === message.text && other.type === message.type;
  const known = all.find(same);
  if (known) {
    const retried = { ...known, ...message, count: known.count + 1 };
    $toasts.set(all.map((other) => (other === known ? retried : other)));
    return;
  }
  last = Math.max(last + 1, Date.now());
  $toasts.set([...all, { ...message, id: last, count: 1 }]);
}

export const dismissToast = (id: number): void => {
  $toasts.set($toasts.get().filter((message) => message.id !== id));
};
