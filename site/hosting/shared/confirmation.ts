/** An action to confirm. */
export interface Confirmation {
  title: string;
  text: string;
  /** Where something is done first. */
  link?: { href: string; text: string };
  action: string;
  /** The key under which the user can suppress this confirmation; without it the dialog always opens. */
  suppress_key?: string;
  /** Text that must be typed to confirm. */
  typed?: { label: string; text: string };
  act(): void;
}
