/** The command history, navigated with the arrow keys as in a shell. Pure. */
export interface CommandHistory {
  /** Oldest first. */
  commands: readonly string[];
  /** The position in `commands`; their length for a new command. */
  at: number;
  /** The unsent text from before the history was opened. */
  draft: string;
}

const max_commands = 100;
export const emptyHistory: CommandHistory = { commands: [], at: 0, draft: '' };

/** After `command` was sent: it is the newest, without duplicates. */
export function sent({ commands }: CommandHistory, command: string): CommandHistory {
  const remembered = [...commands.filter((one) => one !== command), command].slice(-max_commands);
  return { commands: remembered, at: remembered.length, draft: '' };
}

/** One step back (-1) or forward (1) from `text`, and the new content of the field; null at either end. */
export function step(
  typed: CommandHistory,
  by: -1 | 1,
  text: string,
): { typed: CommandHistory; text: string } | null {
  const { commands, at } = typed;
  const to = at + by;
  if (to < 0 || to > commands.length) return null;
  const draft = at === commands.length ? text : typed.draft;
  return { typed: { commands, at: to, draft }, text: commands[to] ?? draft };
}
