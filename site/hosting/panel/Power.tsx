import { useStore } from '@nanostores/react';
import { type PowerAction, whyNotHave, whyNotPower } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { type PageMessages, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../shared/Icon.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { factsOf, startsLater } from '../shared/state.ts';
import type { Confirmation } from '../shared/use-confirm.tsx';
import { whyNotAllowed } from './core/access.ts';
import { power } from './core/actions.ts';
import { $connection, $pendingAction } from './core/panel.store.ts';

/** Whether there is a process that could be stopped, as far as is known. */
export const isOn = (state: string): boolean =>
  ['running', 'starting', 'stopping', 'unknown'].includes(state);

/** The power buttons that make sense now: start, or stop and restart; one that sleeps can also be stopped for good. A disabled one has the reason in its tooltip. */
export function Power({ server, ask, primary }: Pick<ButtonProps, 'server' | 'ask' | 'primary'>) {
  const hasStarted = isOn(server.state);
  return (
    <>
      {(hasStarted || server.sleeping) && <Button server={server} action="stop" ask={ask} />}
      <Button server={server} action={hasStarted ? 'restart' : 'start'} ask={ask} primary={primary} />
    </>
  );
}

interface ButtonProps {
  server: ServerView;
  action: 'start' | 'stop' | 'restart';
  ask(question: Confirmation): void;
  /** Whether it is the one button of the page that stands out. */
  primary?: boolean | undefined;
}

function Button({ server, action, ask, primary = false }: ButtonProps) {
  const labels = useMessages();
  const acting = useStore($pendingAction);
  const line = useStore($connection);
  const why = whyNot(labels, server, action, acting, line === 'open');
  return (
    <button
      className={primary ? 'btn primary' : 'btn'}
      type="button"
      aria-disabled={why !== null}
      aria-busy={acting === action}
      data-tip={why ?? undefined}
      onClick={() => (action === 'start' ? void power('start') : ask(powerQuestion(labels, action)))}
    >
      {acting !== action && <Icon name={action} />}
      {labels.t(`servers.power_${action}`)}
    </button>
  );
}

/** Why a power action is not possible now, as a message; null when it is. */
export function whyNot(
  labels: PageMessages,
  server: ServerView,
  action: PowerAction,
  acting: PowerAction | null,
  isOpen: boolean,
): string | null {
  if (!isOpen) return labels.t('servers.line_lost');
  const lacks = whyNotAllowed(labels, whyNotHave.power);
  if (lacks) return lacks;
  if (acting !== null && action !== 'kill' && action !== 'stop') return labels.t('servers.locked');
  if (action === 'start' && startsLater(server)) return labels.t('servers.why_starts_later');
  const code = whyNotPower(factsOf(server), action);
  return code && refusalText(labels, { error: code, description: labels.t('servers.why_broken') });
}

export const powerQuestion = (
  { t }: PageMessages,
  action: 'stop' | 'restart' | 'kill',
  act = () => void power(action),
): Confirmation => ({
  title: t(`servers.ask_${action}`),
  text: t(`servers.ask_${action}_text`),
  action: t(`servers.power_${action}`),
  suppress_key: action,
  act,
});
