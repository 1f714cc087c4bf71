/**
 * All flags of this browser with their defaults; every flag has an effect. Stored in local storage, never sent: pages
 * are cached for everybody. Source: decisions §3.1; specification §2 (/flags), §4 (developer mode).
 */
export const flagDefaults = {
  /** Shows ids and developer links. Five clicks on the logo toggle it too. */
  developerMode: false,
  /** View transitions between pages. */
  pageTransitions: true,
  /** Shows "3 days ago" instead of the date. */
  relativeDates: true,
  /** Enables single-key shortcuts, such as `/`. Source: WCAG 2.2 §2.1.4. */
  singleKeyShortcuts: true,
  /** Shows toasts at the start of the line instead of its end. Source: specification §4 (toasts at right or left). */
  messagesAtStart: false,
  /** Does a full page load when a newer build is deployed. Source: specification §4 (Navigation). */
  reloadOnNewBuild: true,
};
export type Flag = keyof typeof flagDefaults;
export type Flags = Record<Flag, boolean>;
export const flagNames = Object.keys(flagDefaults) as Flag[];

/** Parses stored flags: known names with a boolean, the default for everything else. Never throws. */
export function parseFlags(text: string | null | undefined): Flags {
  let given: Record<string, unknown> = {};
  try {
    given = Object(JSON.parse(text || '{}')) as Record<string, unknown>;
  } catch {} // broken text counts as none
  const value = (name: Flag) => (typeof given[name] === 'boolean' ? given[name] : flagDefaults[name]);
  return Object.fromEntries(flagNames.map((name) => [name, value(name)])) as Flags;
}

/** The stored form of `flags`: only non-default values, so that a changed default reaches everybody. */
export const storedFlags = (flags: Flags): string =>
  JSON.stringify(Object.fromEntries(flagNames.flatMap((name) => changed(flags, name))));

const changed = (flags: Flags, name: Flag): Array<[Flag, boolean]> =>
  flags[name] === flagDefaults[name] ? [] : [[name, flags[name]]];
