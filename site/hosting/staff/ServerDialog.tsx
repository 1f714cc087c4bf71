import { CancelMoveDialog } from './CancelMoveDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import { ResizeDialog } from './ResizeDialog.tsx';
import { SuspendDialog } from './SuspendDialog.tsx';
import type { DialogProps, OpenDialog } from './server-dialogs.ts';

const dialogs = {
  move: MoveDialog,
  cancel_move: CancelMoveDialog,
  resize: ResizeDialog,
  suspend: SuspendDialog,
} as const satisfies Record<OpenDialog['kind'], unknown>;

/** The dialog about a server that is open. */
export function ServerDialog({ kind, ...props }: DialogProps & OpenDialog) {
  const Dialog = dialogs[kind];
  return <Dialog {...props} />;
}
