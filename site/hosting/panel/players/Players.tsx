import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { $connection } from '../core/panel.store.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { Online } from './Online.tsx';
import { PlayersList } from './PlayersList.tsx';
import { $answer, $online, $players, $problem, $query, loadPlayers } from './players.store.ts';
import { WhitelistSwitches } from './WhitelistSwitches.tsx';

const search_ms = 250;

/** Who is on a server and who may play: the same whether it runs or not. */
export const Players = (props: PanelProps) => (
  <PanelFrame {...props} current="players">
    {(server) => (
      <div className="players">
        <Online server={server} />
        <Lists server={server} />
      </div>
    )}
  </PanelFrame>
);

function Lists({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const players = useStore($players);
  const problem = useStore($problem);
  const line = useStore($connection);
  const answer = useStore($answer);
  const names = useStore($online)?.names?.join(' ');
  // who comes and goes may be because somebody was banned from the console
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are why it loads
  useEffect(() => {
    if (line === 'open') void loadPlayers();
  }, [line, server.state, names]);
  // lists that were shown stay, with what is typed there, unless they are not to be seen any longer
  if (problem && (!players || problem.code === hidden)) return <NotLoaded problem={problem} />;
  if (!players && line === 'lost')
    return <Empty title={t('server_players.offline')} text={t('server_players.offline_text')} />;
  if (!players)
    return (
      <>
        <p className="hide" role="status">
          {t('server_players.loading')}
        </p>
        <Skeleton rows={6} />
      </>
    );
  return (
    <>
      <div className="tools">
        <Search />
        <p className="meta">{t(wayTexts[players.way ?? 'wait'])}</p>
      </div>
      {problem && <NotLoaded problem={problem} />}
      <p className="hide" role="status">
        {answer}
      </p>
      <PlayersList name="whitelist" players={players}>
        <WhitelistSwitches players={players} />
      </PlayersList>
      <PlayersList name="operators" players={players} />
      <PlayersList name="bans" players={players} />
      <PlayersList name="address_bans" players={players} />
    </>
  );
}

const hidden = 'server_right_missing';

/** Why the lists could not be loaded. */
function NotLoaded({ problem }: { problem: ApiError }) {
  const { t } = useMessages();
  const isOthers = problem.code === hidden;
  return (
    <Alert
      tone={isOthers ? 'note' : 'bad'}
      title={t(isOthers ? 'server_players.lists_hidden' : 'server_players.load_failed')}
      action={
        !isOthers && (
          <button className="btn" type="button" onClick={() => void loadPlayers()}>
            {t('server_players.reload')}
          </button>
        )
      }
    >
      {problem.description}
    </Alert>
  );
}

const wayTexts = {
  console: 'server_players.by_console',
  files: 'server_players.by_files',
  wait: 'server_players.by_nothing',
} as const;

function Search() {
  const { t } = useMessages();
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (typed === $query.get()) return;
    const timer = setTimeout(() => {
      $query.set(typed);
      void loadPlayers();
    }, search_ms);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchInput
      label={t('server_players.search')}
      query={typed}
      setQuery={(text) => setTyped(text.slice(0, 100))}
    />
  );
}
