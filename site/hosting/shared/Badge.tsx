import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from './Icon.tsx';
import { stateView } from './state.ts';

/** The state of a server as a badge. */
export function Badge({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const { tone, text, icon } = stateView(server);
  return (
    <span className={tone === 'rest' ? 'badge' : `badge ${tone}`}>
      {icon === 'live' ? <span className="live" /> : <Icon name={icon} />}
      {t(text)}
    </span>
  );
}
