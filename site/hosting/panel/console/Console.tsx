import { useStore } from '@nanostores/react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { readOlder } from '../core/actions.ts';
import { mayReadOlder } from '../core/apply-update.ts';
import { $console, $consoleLoaded, $loadingHistory } from '../core/panel.store.ts';
import { Command } from './Command.tsx';
import { setOwnSentences } from './display-line.ts';
import { type Chosen, Lines } from './Lines.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { ownSentence } from './own-line.ts';
import { searched, textOf } from './rows.ts';
import { Toolbar } from './Toolbar.tsx';
import { useFullscreen } from './use-fullscreen.ts';
import { useVirtualList } from './use-virtual-list.ts';

const LinesDialog = later(async () => (await import('./LinesDialog.tsx')).LinesDialog);

/** The console: its lines, search and copy, and the command input. */
export function Console({ server }: { server: ServerView }) {
  const messages = useMessages();
  const { t, count } = messages;
  const console = useStore($console);
  const isLoaded = useStore($consoleLoaded);
  const isReading = useStore($loadingHistory);
  const part = useRef<HTMLElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const [isWhole, setWhole] = useFullscreen(part);
  const [query, setQuery] = useState('');
  const sought = useDeferredValue(query.trim());
  const { items, hits } = useMemo(() => searched(console.rows, sought), [console.rows, sought]);
  const drawn = useVirtualList(items);
  const [chosen, choose] = useState<Chosen>(null);
  const [hit, setHit] = useState(0);
  const [isViewing, setViewing] = useState(false);
  /** The row to scroll to after the search is closed. */
  const [requested, setRequested] = useState<string | null>(null);
  const unseen = useUnseen(console.next, drawn.isFollowing);

  // lines arrive once the frame around has connected, after this
  useEffect(() => setOwnSentences((text) => ownSentence(messages, text)), [messages]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search begins at its last hit
  useEffect(() => {
    choose(null);
    setHit(Math.max(0, hits.length - 1));
  }, [sought]);
  useEffect(() => {
    if (requested === null || sought !== '') return;
    setRequested(null);
    const at = items.findIndex((item) => 'row' in item && item.row.key === requested);
    if (at < 0) return;
    choose([at, at]);
    drawn.show(at);
  }, [requested, sought, items, drawn]);

  const open = (at: number) => {
    const item = items[at];
    if (!item || !('row' in item)) return;
    setRequested(item.row.key);
    setQuery('');
  };
  const toHit = (by: number) => {
    if (hits.length === 0) return;
    const next = (hit + by + hits.length) % hits.length;
    setHit(next);
    choose([hits[next]!, hits[next]!]);
    drawn.show(hits[next]!);
  };
  const why = !isLoaded
    ? 'servers.console_reading'
    : server.state === 'unknown'
      ? 'servers.console_unreachable'
      : 'servers.console_empty_text';
  const isAtTop = drawn.from === 0 && sought === '';
  return (
    <section ref={part} className={isWhole ? 'con whole' : 'con'} aria-labelledby="console">
      <Toolbar
        query={query}
        setQuery={setQuery}
        hits={hits.length}
        hit={hit}
        toHit={toHit}
        chosen={chosen}
        copyButton={copyButton}
        text={() => textOf(items, chosen)}
        view={() => setViewing(true)}
        isWhole={isWhole}
        setWhole={setWhole}
      />
      <div className="term">
        {isAtTop && mayReadOlder(console) && (
          <button
            className="older btn quiet s"
            type="button"
            aria-busy={isReading}
            onClick={() => void readOlder()}
          >
            {!isReading && <Icon name="older" />}
            {t(isReading ? 'servers.console_reading' : 'servers.console_older')}
          </button>
        )}
        {items.length === 0 && <Nothing text={sought !== '' ? 'servers.console_nothing' : why} />}
        <Lines
          items={items}
          drawn={drawn}
          query={sought}
          chosen={chosen}
          choose={choose}
          open={open}
          copy={() => copyButton.current?.click()}
        />
        {!drawn.isFollowing && (
          <button className="bottom btn s" type="button" onClick={drawn.toEnd}>
            <Icon name="bottom" />
            {unseen > 0 ? count('servers.new_lines', unseen) : t('servers.console_bottom')}
          </button>
        )}
        <Command server={server} after={drawn.toEnd} />
      </div>
      <p className="hide" id="console-keys">
        {t('servers.console_keys')}
      </p>
      <LiveRegion rows={console.rows} />
      {isViewing && <LinesDialog items={items} chosen={chosen} done={() => setViewing(false)} />}
    </section>
  );
}

function Nothing({ text }: { text: MessageKey }) {
  const { t } = useMessages();
  return (
    <p className="none meta" role="status">
      {t(text)}
    </p>
  );
}

/** How many lines arrived since the user scrolled away from the end. */
function useUnseen(next: number, isFollowing: boolean): number {
  const [read_up_to, setReadUpTo] = useState(next);
  useEffect(() => {
    if (isFollowing || next < read_up_to) setReadUpTo(next);
  }, [isFollowing, next, read_up_to]);
  return isFollowing ? 0 : Math.max(0, next - read_up_to);
}
