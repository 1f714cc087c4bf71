import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { $waiting } from './content.store.ts';

interface ActionProps {
  className?: string;
  /** Its name, where its content is an icon. */
  label?: string;
  /** The key of its request: while that is under way it says so. */
  busy?: string;
  /** Why it cannot be done now. */
  whyNot: string | null;
  act(): void;
  children: ReactNode;
}

/** A button that stays reachable, with the reason, while it cannot be used. */
export function Action({ className = 'btn s', label, busy, whyNot, act, children }: ActionProps) {
  const isBusy = useStore($waiting).includes(busy ?? '');
  return (
    <button
      className={className}
      type="button"
      aria-label={label}
      aria-disabled={whyNot !== null}
      aria-busy={isBusy}
      data-tip={whyNot ?? label}
      onClick={() => whyNot === null && !isBusy && act()}
    >
      {children}
    </button>
  );
}
