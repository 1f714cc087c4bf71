import type { RefObject } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import type { Chosen } from './Lines.tsx';

interface ToolbarProps {
  query: string;
  setQuery(query: string): void;
  hits: number;
  /** The current hit, from 0. */
  hit: number;
  toHit(by: number): void;
  chosen: Chosen;
  copyButton: RefObject<HTMLButtonElement | null>;
  /** The text to copy. */
  text(): string;
  /** Opens the view of the lines with their links. */
  view(): void;
  isWhole: boolean;
  setWhole(whole: boolean): void;
}

/** The toolbar above the lines: title, search, copy, fullscreen. */
export function Toolbar(props: ToolbarProps) {
  const { t, count } = useMessages();
  const { chosen, copyButton, text, view, isWhole, setWhole } = props;
  return (
    <header className="row wrap">
      <h2 id="console">{t('servers.console')}</h2>
      {chosen && chosen[1] > chosen[0] && (
        <span className="meta" role="status">
          {count('servers.lines_chosen', chosen[1] - chosen[0] + 1)}
        </span>
      )}
      <Search {...props} />
      <button
        className="btn quiet s icon"
        type="button"
        aria-label={t('servers.console_view')}
        data-tip={t('servers.console_view')}
        onClick={view}
      >
        <Icon name="view" />
      </button>
      <button
        ref={copyButton}
        className="btn quiet s icon"
        type="button"
        aria-label={t('servers.console_copy')}
        data-tip={t('servers.console_copy')}
        data-copied={t('servers.copied')}
        // the page's script copies the value of `data-copy` afterwards
        onClick={({ currentTarget }) => {
          currentTarget.dataset.copy = text();
        }}
      >
        <Icon name="copy" />
      </button>
      <button
        className="btn quiet s icon"
        type="button"
        aria-pressed={isWhole}
        aria-label={t('servers.console_full')}
        data-tip={t(isWhole ? 'servers.console_small' : 'servers.console_full')}
        onClick={() => setWhole(!isWhole)}
      >
        <Icon name={isWhole ? 'small' : 'full'} />
      </button>
    </header>
  );
}

function Search({ query, setQuery, hits, hit, toHit }: ToolbarProps) {
  const { t, number } = useMessages();
  const isSeeking = query.trim() !== '';
  return (
    <search className="row">
      <SearchInput
        label={t('servers.console_search')}
        query={query}
        setQuery={setQuery}
        onKeyDown={(event) => {
          if (event.key === 'Enter') toHit(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape' && query !== '') setQuery('');
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {isSeeking && (
        <>
          <span className="meta num" role="status">
            {t('servers.found_place', { at: number(hits === 0 ? 0 : hit + 1), all: number(hits) })}
          </span>
          <Step name="previous" label={t('servers.console_previous')} act={() => toHit(-1)} />
          <Step name="next" label={t('servers.console_next')} act={() => toHit(1)} />
        </>
      )}
    </search>
  );
}

const Step = ({ name, label, act }: { name: 'previous' | 'next'; label: string; act(): void }) => (
  <button className="btn quiet s icon" type="button" aria-label={label} data-tip={label} onClick={act}>
    <Icon name={name} />
  </button>
);
