import { type RefObject, useEffect, useState } from 'react';

/** Fullscreen state of `part`: Escape leaves it, and everything behind is inert. */
export function useFullscreen(part: RefObject<HTMLElement | null>): [boolean, (whole: boolean) => void] {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    if (!isWhole || !part.current) return;
    const others = beside(part.current);
    for (const other of others) other.inert = true;
    // Escape closes a dialog first
    const leave = (event: KeyboardEvent) =>
      event.key === 'Escape' && !part.current?.querySelector('dialog[open]') && setWhole(false);
    document.addEventListener('keydown', leave);
    document.documentElement.classList.add('still');
    return () => {
      for (const other of others) other.inert = false;
      document.removeEventListener('keydown', leave);
      document.documentElement.classList.remove('still');
    };
  }, [isWhole, part]);
  return [isWhole, setWhole];
}

/** All elements outside `part` that are not inert already, except live regions and toasts. */
function beside(part: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let one: HTMLElement | null = part; one && one !== document.body; one = one.parentElement)
    for (const other of one.parentElement?.children ?? [])
      if (
        other !== one &&
        other instanceof HTMLElement &&
        !other.inert &&
        !other.matches('script, [popover]')
      )
        found.push(other);
  return found;
}
