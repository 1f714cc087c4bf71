import type { MouseEvent, ReactNode, ToggleEvent } from 'react';

interface MenuProps {
  /** The accessible name of a button without text. */
  label?: string;
  /** Classes of the button. */
  look?: string;
  /** Content of the button. */
  button: ReactNode;
  /** `<MenuItem>`, `<MenuLine>`, or an `<li>` with a link or a button. */
  children: ReactNode;
}

/**
 * `Menu.astro` for islands: a button with a menu, with the keys of `scripts/menus.ts`. An action closes it first. A menu of
 * choices opens at the one that holds, which may lie below the fold.
 */
export const Menu = ({ label, look = 'btn quiet icon', button, children }: MenuProps) => (
  <details className="pop" data-menu onToggle={goToCurrent}>
    <summary className={look} aria-label={label}>
      {button}
    </summary>
    <ul className="menu" onClickCapture={closeMenu}>
      {children}
    </ul>
  </details>
);

function goToCurrent({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void {
  if (currentTarget.open) currentTarget.querySelector<HTMLElement>('.menu [aria-current]')?.focus();
}

/** The focus goes to its button, where a dialog that the action opens gives it back. What copies stays, to say so. */
function closeMenu({ currentTarget, target }: MouseEvent<HTMLElement>): void {
  const pressed = (target as Element).closest('button');
  const menu = currentTarget.closest('details');
  if (!pressed || pressed.dataset.copy !== undefined || !menu) return;
  menu.querySelector('summary')?.focus();
  menu.open = false;
}

interface MenuItemProps {
  icon: ReactNode;
  /** Why it cannot be done now. */
  whyNot?: string | null;
  /** Whether it destroys something. */
  isBad?: boolean;
  act(): void;
  children: ReactNode;
}

/** One action of a menu. */
export const MenuItem = ({ icon, whyNot = null, isBad = false, act, children }: MenuItemProps) => (
  <li>
    <button
      className={isBad ? 'bad' : undefined}
      type="button"
      aria-disabled={whyNot !== null}
      data-tip={whyNot ?? undefined}
      onClick={act}
    >
      {icon}
      {children}
    </button>
  </li>
);

/** The line between two groups of a menu. */
export const MenuLine = () => (
  <li>
    <hr />
  </li>
);
