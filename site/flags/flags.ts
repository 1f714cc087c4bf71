/**
 * Every switch of this browser with its default, all of them with an effect. Kept in local storage, never sent: pages
 * are the same bytes for everybody. Source: decisions §3.1; specification §2 (/flags), §4 (developer mode).
 */
export const flagDefaults = {
  /** Shows ids and this page's links to people who build things. Five clicks on the logo switch it as well. */
  developerMode: false,
  /** Fades from one page to the next. */
  pageTransitions: true,
  /** Says "3 days ago" instead of the date. */
  relativeDates: true,
  /** Lets single letters and signs do something, such as `/`. Source: WCAG 2.2 §2.1.4. */
  singleKeyShortcuts: true,
  /** Shows messages where lines begin instead of where they end. Source: specification §4 (toasts at right or left). */
  messagesAtStart: false,
  /** Loads the next page whole when a newer build runs. Source: specification §4 (Navigation). */
  reloadOnNewBuild: true,
};
export type Flag = keyof typeof flagDefaults;
export type Flags = Record<Flag, boolean>;
export const flagNames = Object.keys(flagDefaults) as Flag[];

/** The flags in a kept text: known names that are true or false, the default for everything else. Never throws. */
export function parseFlags(text: string | null | undefined): Flags {
  let given: Record<string, unknown> = {};
  try {
    given = Object(JSON.parse(text || '{}')) as Record<string, unknown>;
  } catch {} // a broken text is none
  const value = (name: Flag) => (typeof given[name] === 'boolean' ? given[name] : flagDefaults[name]);
  return Object.fromEntries(flagNames.map((name) => [name, value(name)])) as Flags;
}

/** What is kept of `flags`: only what differs from the defaults, so that a better default reaches everybody. */
export const storedFlags = (flags: Flags): string =>
  JSON.stringify(Object.fromEntries(flagNames.flatMap((name) => changed(flags, name))));

const changed = (flags: Flags, name: Flag): Array<[Flag, boolean]> =>
  flags[name] === flagDefaults[name] ? [] : [[name, flags[name]]];
