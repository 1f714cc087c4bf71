import { atom } from 'nanostores';

type ToastType = 'error' | 'warning' | 'success' | 'info';
export interface Toast {
  /** Milliseconds since 1970 of its first occurrence; unique. */
  id: number;
  title: string;
  text: string;
  type: ToastType;
  error_code?: string;
  /** What its button "Try again" does; without one there is no button. */
  retry?: () => void;
  /** What that button says instead. */
  action?: string;
  /** How often it occurred. */
  count: number;
}

/** The visible toasts, oldest first. Source: specification §3 (Notification), §4 (notifications). */
export const $toasts = atom<readonly Toast[]>([]);

let last = 0;

export type ToastMessage = Omit<Toast, 'id' | 'count'>;

/**
 * Shows a toast; the same title, text and type again increases its count and restarts its timer. Its button then retries
 * only the newest.
 */
export function showToast(message: ToastMessage): void {
  const all = $toasts.get();
  const same = (other: Toast) =>
    other.title === message.title && other.text === message.text && other.type === message.type;
  const known = all.find(same);
  if (known) {
    const repeated = { ...known, retry: undefined, ...message, count: known.count + 1 };
    $toasts.set(all.map((other) => (other === known ? repeated : other)));
    return;
  }
  last = Math.max(last + 1, Date.now());
  $toasts.set([...all, { ...message, id: last, count: 1 }]);
}

export const dismissToast = (id: number): void => {
  $toasts.set($toasts.get().filter((message) => message.id !== id));
};

const kept = 'toast';

/** Shows a toast on the next page of this tab, which is about to be loaded. */
export function keepToast(message: ToastMessage): void {
  try {
    sessionStorage.setItem(kept, JSON.stringify(message));
  } catch {} // without storage it is not shown
}

/** Shows the toast that the page before has kept, once. */
export function showKeptToast(): void {
  try {
    const message = sessionStorage.getItem(kept);
    sessionStorage.removeItem(kept);
    if (message) showToast(JSON.parse(message) as ToastMessage);
  } catch {}
}
