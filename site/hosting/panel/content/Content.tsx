import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { $connection } from '../core/panel.store.ts';
import { setTexts } from '../files/files.store.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { openFromAddress } from './address.ts';
import { ContentList } from './ContentList.tsx';
import {
  $changes,
  $content,
  $dialog,
  $problem,
  $restartDue,
  followContent,
  loadContent,
} from './content.store.ts';
import { whyNotChangeContent } from './why-not.ts';

const Dialogs = later(async () => (await import('./dialogs/Dialogs.tsx')).Dialogs);
const ChangeNews = later(async () => (await import('./ChangeNews.tsx')).ChangeNews);
const PackCard = later(async () => (await import('./PackCard.tsx')).PackCard);
const History = later(async () => (await import('./History.tsx')).History);

/** The content of one server: what is installed, updates, its modpack, what was changed. */
export const Content = (props: PanelProps) => (
  <PanelFrame {...props} current="content">
    {(server) => <All server={server} />}
  </PanelFrame>
);

function All({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  const content = useStore($content);
  const changes = useStore($changes);
  const problem = useStore($problem);
  const dialog = useStore($dialog);
  const line = useStore($connection);
  const restartDue = useStore($restartDue);
  const hasNews = changes.length > 0 || restartDue;
  useEffect(followContent, []);
  useEffect(() => setTexts(labels), [labels]);
  // what a project page or an order asked for
  useEffect(() => {
    if (content) openFromAddress();
  }, [content]);
  const whyNot = whyNotChangeContent(labels, { server, changes, isOpen: line === 'open' });
  return (
    <section className="cont" aria-labelledby="content-title" aria-busy={!content && !problem}>
      <h2 id="content-title" className="hide">
        {t('servers.content')}
      </h2>
      {hasNews && <ChangeNews server={server} changes={changes} isOpen={line === 'open'} />}
      {problem && <Problem />}
      {content && (
        <>
          {content.pack && <PackCard pack={content.pack} whyNot={whyNot} />}
          <ContentList {...{ server, content, whyNot }} />
          {changes.length > 0 && <History changes={changes} />}
        </>
      )}
      {!content && !problem && line === 'lost' && (
        <Empty title={t('server_content.offline')} text={t('server_content.offline_text')} />
      )}
      {!content && !problem && line !== 'lost' && (
        <>
          <p className="hide" role="status">
            {t('server_content.loading')}
          </p>
          <Skeleton rows={5} />
        </>
      )}
      {dialog && <Dialogs dialog={dialog} server={server} whyNot={whyNot} />}
    </section>
  );
}

/** Why there is no list, or an old one: an agent that is older than the page, a node that does not answer, anything else. */
function Problem() {
  const { t } = useMessages();
  const { code, description } = useStore($problem)!;
  const isOld = code === 'agent_outdated';
  return (
    <Alert
      tone={isOld ? 'warn' : 'bad'}
      title={t(isOld ? 'server_content.agent_outdated' : 'server_content.load_failed')}
      action={
        <button className="btn" type="button" onClick={() => void loadContent()}>
          {t('server_content.again')}
        </button>
      }
    >
      {isOld ? t('server_content.agent_outdated_text') : description}
    </Alert>
  );
}
