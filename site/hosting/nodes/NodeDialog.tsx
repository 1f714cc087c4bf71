import { AddNodeDialog } from './AddNodeDialog.tsx';
import { EmptyDialog } from './EmptyDialog.tsx';
import { GiveUpDialog } from './GiveUpDialog.tsx';
import { RejoinDialog, RemoveDialog, RotateDialog } from './NodeQuestions.tsx';
import type { DialogProps, OpenDialog } from './node-dialogs.ts';
import { JoinDialog, SecretDialog } from './ShownOnce.tsx';

/** The dialog that is open. */
export function NodeDialog({ dialog, ...props }: DialogProps & { dialog: OpenDialog }) {
  switch (dialog.kind) {
    case 'add':
      return <AddNodeDialog {...props} />;
    case 'empty':
      return <EmptyDialog {...props} node={dialog.node} />;
    case 'give_up':
      return <GiveUpDialog {...props} node={dialog.node} />;
    case 'rejoin':
      return <RejoinDialog {...props} node={dialog.node} />;
    case 'rotate':
      return <RotateDialog {...props} node={dialog.node} />;
    case 'remove':
      return <RemoveDialog {...props} node={dialog.node} />;
    case 'join':
      return <JoinDialog {...props} {...dialog} />;
    case 'secret':
      return <SecretDialog {...props} {...dialog} />;
  }
}
