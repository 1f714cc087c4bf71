interface ToggleProps {
  label: string;
  isOn: boolean;
  toggle(): void;
}

/** A chip that is on or off. */
export const Toggle = ({ label, isOn, toggle }: ToggleProps) => (
  <button className="chip" type="button" aria-pressed={isOn} onClick={toggle}>
    <bdi>{label}</bdi>
  </button>
);

/** The list with `item` in it, or without it when it was there. */
export const toggled = <T,>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((one) => one !== item) : [...list, item];
