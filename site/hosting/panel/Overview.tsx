import { type ComponentType, useEffect, useState } from 'react';
import type { BackupSummary } from '#db/hosting/servers/backups/summary.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { laterStyled } from '../../platform/ui/later.tsx';
import { Alert } from '../shared/Alert.tsx';
import { hasCrashCard } from '../shared/state.ts';
import { useAddress } from '../shared/use-address.ts';
import { BackupHint } from './BackupHint.tsx';
import type { CrashCard } from './CrashCard.tsx';
import { Console } from './console/Console.tsx';
import { ResourceUsage } from './console/ResourceUsage.tsx';
import firstRunStyle from './content/first-run.css?url';
import { isNewServer } from './content/first-run.ts';
import type { CrashHelp } from './crash/CrashHelp.tsx';
import type { ServerSetup } from './setup/ServerSetup.tsx';

const FirstRun = laterStyled([firstRunStyle], async () => (await import('./content/FirstRun.tsx')).FirstRun);

type Part<C extends (props: never) => unknown> = ComponentType<Parameters<C>[0]>;

interface OverviewProps {
  server: ServerView;
  /** Its set-up was on the screen before it was a server. */
  isNew: boolean;
  /** Its backups as the page was loaded; null for one that is not set up. */
  backups: BackupSummary | null;
  /** What a server shows now and then. */
  parts: {
    CrashCard: Part<typeof CrashCard>;
    CrashHelp: Part<typeof CrashHelp>;
    ServerSetup: Part<typeof ServerSetup>;
  };
}

const focusConsole = () => document.querySelector<HTMLElement>('[data-lines]')?.focus();

/** Its set-up, then state, statistics and console. */
export function Overview({
  server,
  isNew,
  backups,
  parts: { CrashCard, CrashHelp, ServerSetup },
}: OverviewProps) {
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
      {server.lifecycle === 'ready' && !setup && backups && <BackupHint id={server.id} backups={backups} />}
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

/**
 * Keeps the console where it is on the screen while somebody works in it and something above it comes, goes or grows: the
 * page scrolls by what the browser's own scroll anchoring left. Gives a function that ends it.
 */
function keepInPlace(console: HTMLElement): () => void {
  const place = () => console.getBoundingClientRect().top;
  let before = place();
  const remember = () => {
    before = place();
  };
  const observer = new ResizeObserver(() => {
    if (console.classList.contains('whole')) return;
    const moved = place() - before;
    if (moved !== 0 && console.contains(document.activeElement))
      scrollBy({ top: moved, behavior: 'instant' });
    remember();
  });
  observer.observe(document.body);
  // whoever scrolls moves it on purpose
  addEventListener('scroll', remember, { passive: true });
  return () => {
    observer.disconnect();
    removeEventListener('scroll', remember);
  };
}
