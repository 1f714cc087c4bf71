/** Commands typed before, walked through with the arrows as in a shell. Pure. */
export interface CommandHistory {
  /** Oldest first. */
  commands: readonly string[];
  /** Where one is in `commands`; their length where one types something new. */
  at: number;
  /** What was being typed when one went back. */
  draft: string;
}

const max_commands = 100;
export const emptyHistory: CommandHistory = { commands: [], at: 0, draft: '' };

/** After `command` was sent: it is the newest, and stands there once. */
export function sent({ commands }: CommandHistory, command: string): CommandHistory {
  const remembered = [...commands.filter((one) => one !== command), command].slice(-max_commands);
  return { commands: remembered, at: remembered.length, draft: '' };
}

/** One step back (-1) or forth (1) from `text`, and what then stands in the field; null when there is nowhere to go. */
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
