import { useEffect, useState } from 'react';
import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import { later } from '../../ui/later.tsx';
import { Alert } from '../shared/Alert.tsx';
import { hasCrashCard } from '../shared/state.ts';
import { useAddress } from '../shared/use-address.ts';
import { CrashCard } from './CrashCard.tsx';
import { Console } from './console/Console.tsx';
import { ResourceUsage } from './console/ResourceUsage.tsx';
import { isNewServer } from './content/first-run.ts';
import { CrashHelp } from './crash/CrashHelp.tsx';
import { keepInPlace } from './keep-in-place.ts';
import { PanelFrame, type PanelProps } from './PanelFrame.tsx';
import { ServerSetup } from './setup/ServerSetup.tsx';

const FirstRun = later(async () => (await import('./content/FirstRun.tsx')).FirstRun);

const focusConsole = () => document.querySelector<HTMLElement>('[data-lines]')?.focus();

/** The overview of one server: its set-up, then state, statistics and console. */
export function Panel({ isNew = false, ...props }: PanelProps & { isNew?: boolean }) {
  return (
    <PanelFrame {...props} current="overview">
      {(server) => <Overview server={server} isNew={isNew} />}
    </PanelFrame>
  );
}

/** `isNew`: its set-up was on the screen before it was a server. */
function Overview({ server, isNew }: { server: ServerView; isNew: boolean }) {
  const [wasNew] = useState(isNew || server.setup !== null);
  const { setup } = server;
  const [isFresh, setFresh] = useState(false);
  useEffect(() => setFresh(isNewServer(server, new Date())), [server]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the console comes with the end of the set-up
  useEffect(() => {
    const console = document.querySelector<HTMLElement>('.con');
    return console ? keepInPlace(console) : undefined;
  }, [setup]);
  return (
    <>
      {setup && <ServerSetup server={server} step={setup} />}
      {wasNew && !setup && server.state === 'running' && <Ready server={server} />}
      {hasCrashCard(server) && <CrashCard server={server} crash={server.crash!} read={focusConsole} />}
      {server.lifecycle === 'broken' && <CrashHelp server={server} />}
      {!setup && isFresh && <FirstRun server={server} />}
      {!setup && <ResourceUsage server={server} />}
      {/* before it starts for the first time there is nothing to read */}
      {(!setup || setup === 'starting') && <Console server={server} />}
    </>
  );
}

/** Said once, to whoever watched the set-up. */
function Ready({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const { address, hidden } = useAddress(server);
  return (
    <div className="troubles" role="status">
      <Alert tone="good" title={t('servers.setup_ready')}>
        {/* an address is left-to-right in every language */}
        {address && !hidden && t('servers.setup_ready_text', { address: `\u2066${address}\u2069` })}
      </Alert>
    </div>
  );
}
