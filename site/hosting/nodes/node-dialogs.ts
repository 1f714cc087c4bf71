import type { NodeView } from '#db/hosting/nodes/view.ts';

/** A dialog of the board of nodes. */
export type OpenDialog =
  | { kind: 'add' }
  | { kind: 'empty' | 'give_up' | 'rejoin' | 'rotate' | 'remove'; node: NodeView }
  /** What is shown once: a join command, or a secret. */
  | { kind: 'join'; node: NodeView; command: string; expires: string }
  | { kind: 'secret'; node: NodeView; secret: string };

/** Opens a dialog in place of the one before. */
export type OpensDialog = (dialog: OpenDialog) => void;

/** What every dialog gets. */
export interface DialogProps {
  open: OpensDialog;
  /** It was closed. */
  done(): void;
}
