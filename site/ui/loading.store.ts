import { atom } from 'nanostores';

/** How many things are on their way; the bar shows while it is not zero. */
export const $waiting = atom(0);

/** Says that something is being fetched; call what it gives when it is there. */
export function wait(): () => void {
  $waiting.set($waiting.get() + 1);
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    $waiting.set($waiting.get() - 1);
  };
}
