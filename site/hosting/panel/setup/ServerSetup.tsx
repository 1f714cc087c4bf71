import type { MessageKey } from '#content/keys.ts';
import type { SetupStep } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { SetupSteps } from './SetupSteps.tsx';

const texts = {
  scheduling: 'servers.setup_scheduling_text',
  installing: 'servers.setup_installing_text',
  starting: 'servers.setup_starting_text',
} as const satisfies Record<SetupStep, MessageKey>;

/** The set-up of a new server until its first start is over. */
export function ServerSetup({ server, step }: { server: ServerView; step: SetupStep }) {
  const { t } = useMessages();
  const failed = server.lifecycle === 'broken';
  const isFull = server.lifecycle_data.reason === 'out_of_stock';
  const text = failed
    ? 'servers.setup_failed_text'
    : step === 'scheduling' && isFull
      ? 'servers.setup_full_text'
      : texts[step];
  return (
    <SetupSteps at={step} text={t(text)} failed={failed}>
      <p className="dim">
        {t(server.power_wanted === 'on' ? 'servers.setup_leave' : 'servers.setup_stays_off')}
      </p>
    </SetupSteps>
  );
}
