import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { ServerView } from '#db/servers/view.ts';
import { Empty } from '../../ui/Empty.tsx';
import { useAsking } from '../panel/Ask.tsx';
import { recallAsking } from '../panel/asking.store.ts';
import { Say } from '../panel/Say.tsx';
import { Seek } from '../panel/Seek.tsx';
import { Sign } from '../panel/Sign.tsx';
import { stateShown } from '../panel/state.ts';
import { Speaking, useWords } from '../panel/Words.tsx';
import type { PanelTexts } from '../panel/words.ts';
import { type Words, wordsOf } from '../panel/words-of.ts';
import { fits } from './fuzzy.ts';
import { $refused, $servers, $stale, openList } from './list.store.ts';
import { ServerLine } from './ServerLine.tsx';

export interface ListProps {
  first: readonly ServerView[];
  /** The server that was just ordered, awaited until it is there. */
  awaited: string | null;
  texts: PanelTexts;
}

/** A person's servers, found by what one types. */
export function List(props: ListProps) {
  return (
    <Speaking texts={props.texts}>
      <All {...props} />
    </Speaking>
  );
}

const isBecoming = ({ lifecycle }: ServerView) => !['ready', 'suspended', 'broken'].includes(lifecycle);

function All({ first, awaited, texts }: ListProps) {
  const words = useWords();
  const { say, count, refusal } = words;
  const servers = useStore($servers, { ssr: 'initial' }) ?? first;
  const isStale = useStore($stale);
  const refused = useStore($refused);
  const { ask, dialog } = useAsking();
  const [query, setQuery] = useState('');
  useEffect(() => {
    recallAsking();
    openList((now) => now.some(isBecoming) || (awaited !== null && !now.some(({ id }) => id === awaited)));
  }, [awaited]);
  const isComing = awaited !== null && !servers.some(({ id }) => id === awaited);
  const shown = found(wordsOf(texts), servers, query);
  return (
    <>
      <div className="mh">
        <h1>{say('servers.title')}</h1>
        {servers.length > 0 && (
          <search>
            <Seek
              label={say('servers.search')}
              hint={say('servers.search_hint')}
              query={query}
              setQuery={setQuery}
            />
          </search>
        )}
        <New isFirst={servers.length === 0 && !isComing} />
      </div>
      <p className="hide" role="status">
        {query !== '' && count('servers.found', shown.length)}
      </p>
      <div className="troubles" aria-live="polite">
        {isComing && (
          <Say tone="note" title={say('servers.coming')}>
            {say('servers.coming_text')}
          </Say>
        )}
        {isStale && (
          <Say tone="warn" title={say('servers.list_failed')}>
            {say('servers.list_failed_text')}
          </Say>
        )}
        {refused && (
          <Say tone="bad" title={say('servers.refused')}>
            {refusal(refused)}
          </Say>
        )}
      </div>
      {shown.length > 0 ? (
        <ul className="lines srvs">
          {shown.map((server) => (
            <ServerLine key={server.id} server={server} ask={ask} />
          ))}
        </ul>
      ) : (
        !isComing && <None query={query} clear={() => setQuery('')} />
      )}
      {dialog}
    </>
  );
}

/** Those that fit, the best first; as they are without a query: newest first. */
function found({ say }: Words, servers: readonly ServerView[], query: string): readonly ServerView[] {
  if (query.trim() === '') return servers;
  const points = (server: ServerView) => {
    const { name, loader, game_version, kind } = server;
    return fits([name, loader, game_version, kind, say(stateShown(server).word)].join(' '), query);
  };
  return servers
    .map((server) => ({ server, points: points(server) }))
    .filter((one) => one.points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ server }) => server);
}

function New({ isFirst }: { isFirst: boolean }) {
  const { say, link } = useWords();
  if (isFirst) return null;
  return (
    <a className="btn primary" href={link('/servers')}>
      <Sign name="add" />
      {say('servers.new')}
    </a>
  );
}

function None({ query, clear }: { query: string; clear(): void }) {
  const { say, fill, link } = useWords();
  if (query !== '') {
    return (
      <Empty title={fill('servers.none_found_for', { query })} text={say('servers.none_found_text')}>
        <button className="btn" type="button" onClick={clear}>
          {say('servers.clear')}
        </button>
      </Empty>
    );
  }
  return (
    <Empty title={say('servers.none')} text={say('servers.none_text')}>
      <a className="btn primary" href={link('/servers')}>
        {say('servers.see_plans')}
      </a>
    </Empty>
  );
}
