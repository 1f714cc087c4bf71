/** Which rows of a list are selected, as file lists of desktops do it. Pure. */
export interface Selection {
  chosen: ReadonlySet<string>;
  /** Where a range begins. */
  anchor: string | null;
  /** The row that the keyboard is at. */
  focus: string | null;
}
export const noSelection: Selection = { chosen: new Set(), anchor: null, focus: null };

interface Keys {
  /** Ctrl, or Cmd on a Mac: adds or removes. */
  toggle: boolean;
  /** Selects everything from the anchor on. */
  range: boolean;
}

/** The names between two of them, both included. */
function between(names: readonly string[], one: string | null, other: string): string[] {
  const to = names.indexOf(other);
  const from = one === null ? -1 : names.indexOf(one);
  if (to < 0) return [];
  if (from < 0) return [other];
  return names.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** After a click on `name`. */
export function pressed(now: Selection, names: readonly string[], name: string, keys: Keys): Selection {
  if (keys.range) {
    const range = between(names, now.anchor ?? now.focus, name);
    const chosen = new Set(keys.toggle ? [...now.chosen, ...range] : range);
    return { chosen, anchor: now.anchor ?? now.focus ?? name, focus: name };
  }
  if (keys.toggle) return toggled(now, name);
  return { chosen: new Set([name]), anchor: name, focus: name };
}

/** With `name` added, or removed if it was selected. */
export function toggled(now: Selection, name: string): Selection {
  const chosen = new Set(now.chosen);
  if (!chosen.delete(name)) chosen.add(name);
  return { chosen, anchor: name, focus: name };
}

/** After an arrow key: `by` rows further; with `extends` the range grows or shrinks. */
export function moved(now: Selection, names: readonly string[], by: number, extend: boolean): Selection {
  if (names.length === 0) return now;
  const at = now.focus === null ? -1 : names.indexOf(now.focus);
  const to = at < 0 ? (by > 0 ? 0 : names.length - 1) : Math.min(Math.max(at + by, 0), names.length - 1);
  const name = names[to]!;
  if (!extend) return { ...now, focus: name, anchor: name };
  const anchor = now.anchor ?? now.focus ?? name;
  return { chosen: new Set(between(names, anchor, name)), anchor, focus: name };
}

export const allOf = (now: Selection, names: readonly string[]): Selection => ({
  ...now,
  chosen: new Set(names),
});
export const noneOf = (now: Selection): Selection => ({ ...now, chosen: new Set() });

/** What is left of a selection in a list that changed; the keyboard goes to the row that took the place of its own. */
export function keptIn(now: Selection, before: readonly string[], names: readonly string[]): Selection {
  const known = new Set(names);
  const at = now.focus === null ? -1 : before.indexOf(now.focus);
  const beside = names[Math.min(Math.max(at, 0), names.length - 1)] ?? null;
  const stays = now.focus !== null && known.has(now.focus);
  return {
    chosen: new Set([...now.chosen].filter((name) => known.has(name))),
    anchor: now.anchor !== null && known.has(now.anchor) ? now.anchor : null,
    focus: stays ? now.focus : now.focus === null ? null : beside,
  };
}
