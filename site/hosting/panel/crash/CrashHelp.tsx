import { useState } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { Findings } from './Findings.tsx';

const LogDialog = later(async () => (await import('./LogDialog.tsx')).LogDialog);

/** Why a server crashed, or could not be set up, as far as its logs say; and a way to share them. */
export function CrashHelp({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const [isSharing, setSharing] = useState(false);
  const { ended_at, lifecycle, lifecycle_data } = server;
  // on the card of a crash it has a heading above
  const Heading = lifecycle === 'broken' ? 'h2' : 'h3';
  return (
    <div className="crash-help">
      <Heading>{t('crash_help.title')}</Heading>
      <Findings server_id={server.id} of={ended_at ?? lifecycle_data.error ?? null} />
      <button className="btn quiet s" type="button" onClick={() => setSharing(true)}>
        {t('crash_help.share')}
      </button>
      {isSharing && <LogDialog server_id={server.id} done={() => setSharing(false)} />}
    </div>
  );
}
