import { useStore } from '@nanostores/react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { $content, $dialog, type ContentDialog } from '../content.store.ts';
import { CompareDialog } from './CompareDialog.tsx';
import { InstallDialog } from './InstallDialog.tsx';
import { PackDialog } from './PackDialog.tsx';
import { UpdateDialog } from './UpdateDialog.tsx';
import { VersionsDialog } from './VersionsDialog.tsx';

interface DialogsProps {
  dialog: ContentDialog;
  server: ServerView;
  whyNot: string | null;
}

/** The dialog that is open. */
export function Dialogs({ dialog, server, whyNot }: DialogsProps) {
  const content = useStore($content);
  const done = () => {
    // one dialog may have opened the next
    if ($dialog.get() === dialog) $dialog.set(null);
  };
  const common = { server, whyNot, done };
  if (dialog.kind === 'install') return <InstallDialog key={dialog.project_id} {...common} {...dialog} />;
  if (dialog.kind === 'update') return <UpdateDialog {...common} paths={dialog.paths} />;
  if (dialog.kind === 'pack')
    return <PackDialog key={dialog.version_id ?? dialog.project_id} {...common} {...dialog} />;
  if (dialog.kind === 'compare') return content?.pack && <CompareDialog pack={content.pack} done={done} />;
  const item = dialog.kind === 'versions' && content?.items.find(({ path }) => path === dialog.path);
  const pack = dialog.kind === 'pack_versions' ? content?.pack : null;
  if (item && item.project !== null && item.version !== null)
    return <VersionsDialog {...common} type={item.type} project={item.project} version={item.version} />;
  if (pack)
    return <VersionsDialog {...common} type="modpack" project={pack.project} version={pack.version} />;
  return null;
}
