import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { brokenText } from '../shared/state.ts';

/** What failed while a server was set up: as a message, and as reported by the node, for support. */
export function SetupError({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const word = brokenText(server);
  const { step, error } = server.lifecycle_data;
  return (
    <>
      {word && t(word)} <code dir="ltr">{[step, error].filter(Boolean).join(': ')}</code>
    </>
  );
}
