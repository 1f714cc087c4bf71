import type { BackupSummary } from '#db/hosting/servers/backups/summary.ts';
import { CrashCard } from './CrashCard.tsx';
import { CrashHelp } from './crash/CrashHelp.tsx';
import { Overview } from './Overview.tsx';
import { PanelFrame, type PanelProps } from './PanelFrame.tsx';
import { ServerSetup } from './setup/ServerSetup.tsx';

const parts = { CrashCard, CrashHelp, ServerSetup };

/** The overview of a server with its set-up or a crash on it from the beginning; the page links the style sheets of both. */
export const FullPanel = ({
  isNew = false,
  backups = null,
  ...props
}: PanelProps & { isNew?: boolean; backups?: BackupSummary | null }) => (
  <PanelFrame {...props} current="overview">
    {(server) => <Overview server={server} isNew={isNew} backups={backups} parts={parts} />}
  </PanelFrame>
);
