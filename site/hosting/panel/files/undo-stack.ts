/** What a user did to files and can take back. Pure. */
export type Done =
  | { kind: 'delete'; paths: readonly string[]; trash_ids: readonly string[] }
  | { kind: 'move'; moves: readonly { from: string; to: string }[] };

export interface UndoStack {
  /** Newest last. */
  done: readonly Done[];
  undone: readonly Done[];
}
export const nothingDone: UndoStack = { done: [], undone: [] };
/** Steps that can be taken back. */
const max_steps = 50;

/** After something new was done: what was taken back before cannot come again. */
export const withDone = ({ done }: UndoStack, step: Done): UndoStack => ({
  done: [...done, step].slice(-max_steps),
  undone: [],
});

/** The newest step, and the stack without it. */
export const takenBack = ({ done, undone }: UndoStack): UndoStack => ({ done: done.slice(0, -1), undone });
/** After the newest step was taken back; as `step` it can be done again. */
export const withUndone = ({ done, undone }: UndoStack, step: Done): UndoStack => ({
  done,
  undone: [...undone, step].slice(-max_steps),
});
/** After the newest one that was taken back was done again, with what it gave this time. */
export const withRedone = ({ done, undone }: UndoStack, step: Done): UndoStack => ({
  done: [...done, step].slice(-max_steps),
  undone: undone.slice(0, -1),
});

/** The moves that lead back, last first: a later one may lie in an earlier one. */
export const movesBack = (moves: readonly { from: string; to: string }[]): { from: string; to: string }[] =>
  moves.map(({ from, to }) => ({ from: to, to: from })).reverse();
