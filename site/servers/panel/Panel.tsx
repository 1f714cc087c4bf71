import { CrashCard } from './CrashCard.tsx';
import { Console } from './console/Console.tsx';
import { ResourceUsage } from './console/ResourceUsage.tsx';
import { PanelFrame, type PanelProps } from './PanelFrame.tsx';

const focusConsole = () => document.querySelector<HTMLElement>('[data-lines]')?.focus();

/** The overview of one server. */
export function Panel(props: PanelProps) {
  return (
    <PanelFrame {...props} current="overview">
      {(server) => (
        <>
          {server.state === 'crashed' && server.crash && (
            <CrashCard server={server} crash={server.crash} read={focusConsole} />
          )}
          <ResourceUsage server={server} />
          <Console server={server} />
        </>
      )}
    </PanelFrame>
  );
}
