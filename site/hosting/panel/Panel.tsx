import type { BackupSummary } from '#db/hosting/servers/backups/summary.ts';
import { later, laterStyled } from '../../platform/ui/later.tsx';
import crashStyle from './crash/crash-help.css?url';
import crashCardStyle from './crash.css?url';
import { Overview } from './Overview.tsx';
import { PanelFrame, type PanelProps } from './PanelFrame.tsx';

const parts = {
  ServerSetup: later(async () => (await import('./setup/ServerSetup.tsx')).ServerSetup),
  CrashCard: laterStyled(
    [crashCardStyle, crashStyle],
    async () => (await import('./CrashCard.tsx')).CrashCard,
  ),
  CrashHelp: laterStyled([crashStyle], async () => (await import('./crash/CrashHelp.tsx')).CrashHelp),
};

/** The overview of a server that shows neither its set-up nor a crash when the page is opened. */
export const Panel = ({ backups, ...props }: PanelProps & { backups: BackupSummary | null }) => (
  <PanelFrame {...props} current="overview">
    {(server) => <Overview server={server} isNew={false} backups={backups} parts={parts} />}
  </PanelFrame>
);
