import { useStore } from '@nanostores/react';
import { whyNotReadFiles } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { factsOf } from '../../shared/state.ts';
import { canDrop } from './can-drop.ts';
import { $order } from './files.store.ts';
import { go, load, sortBy } from './folder.ts';
import { parentOf } from './paths.ts';

interface Props {
  server: ServerView;
  path: string;
  /** Why the folder cannot be shown; null when it is empty. */
  problem: string | null;
}

/** A folder without entries, or one that cannot be shown. */
export function EmptyFolder({ server, path, problem }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const order = useStore($order);
  const why = whyNotReadFiles(factsOf(server));
  if (problem !== null)
    return (
      <Empty
        title={t('server_files.cannot_show')}
        text={why ? refusalText(labels, { error: why, description: problem }) : problem}
      >
        <span className="row">
          <button className="btn" type="button" onClick={() => void load()}>
            {t('server_files.try_again')}
          </button>
          {path !== '' && (
            <button className="btn quiet" type="button" onClick={() => go({ path: parentOf(path) })}>
              {t('server_files.up')}
            </button>
          )}
        </span>
      </Empty>
    );
  if (order.show !== 'all')
    return (
      <Empty title={t('server_files.none_of_kind')} text="">
        <button className="btn" type="button" onClick={() => sortBy({ ...order, show: 'all' })}>
          {t('server_files.show_all')}
        </button>
      </Empty>
    );
  const text = t(canDrop() ? 'server_files.empty_text' : 'server_files.empty_text_touch');
  return <Empty title={t('server_files.empty')} text={text} />;
}
