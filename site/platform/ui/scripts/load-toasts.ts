import { $toasts, showKeptToast } from '../../browser/toasts.store.ts';

/**
 * Loads what shows toasts with the first press of a key or a button, since whoever only reads never sees one: it is there before
 * anything can be refused, also when the connection is lost meanwhile. A toast that waits loads it at once.
 */
// without a connection the next toast tries again
const load = () => void import('./toasts.ts').catch(() => {});

for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, load, { capture: true, once: true });
$toasts.subscribe(({ length }) => {
  if (length > 0) load();
});
showKeptToast();
