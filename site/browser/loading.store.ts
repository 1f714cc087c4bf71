import { atom } from 'nanostores';

/** How many things are on their way. */
const $waiting = atom(0);

/** Whether the bar shows: from 50 ms after something is awaited until nothing is. Source: specification §9 (throttle). */
export const $loading = atom(false);

const throttle_ms = 50;
let timer: ReturnType<typeof setTimeout> | undefined;

$waiting.listen((count) => {
  if (count > 0 && ($loading.get() || timer !== undefined)) return;
  clearTimeout(timer);
  timer = undefined;
  if (count === 0) $loading.set(false);
  else
    timer = setTimeout(() => {
      timer = undefined;
      $loading.set(true);
    }, throttle_ms);
});

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
