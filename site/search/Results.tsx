import { useStore } from '@nanostores/react';
import { Chips } from './Chips.tsx';
import { Hits } from './Hits.tsx';
import { Notes } from './Notes.tsx';
import { Nothing } from './Nothing.tsx';
import { Bottom, Turn } from './Turn.tsx';
import { $view } from './view.store.ts';
import type { View, Words } from './view.ts';

export interface ResultsProps {
  /** What the server found. */
  first: View;
  words: Words;
}

/** What a search found: the server's answer at first, then the newest one. Everything in it is a link or a text. */
export function Results({ first, words }: ResultsProps) {
  const view = useStore($view, { ssr: 'initial' }) ?? first;
  const [before, number, behind] = view.count;
  return (
    <>
      <div data-part="notes">
        <Notes notes={view.notes} title={words['search.noted']} />
      </div>
      <div className="found">
        <div data-part="chips">
          <Chips view={view} words={words} />
        </div>
        <p className="meta" role="status">
          {before}
          {number && <b>{number}</b>}
          {behind}
        </p>
        <div data-part="turn">
          <Turn turn={view.turn} words={words} />
        </div>
      </div>
      <h2 className="hide" tabIndex={-1} data-heading>
        {words['search.results']}
      </h2>
      <div data-part="hits">
        {view.nothing ? (
          <Nothing nothing={view.nothing} words={words} />
        ) : (
          <Hits hits={view.hits} words={words} />
        )}
      </div>
      <div data-part="bottom">{view.nothing ? null : <Bottom view={view} words={words} />}</div>
    </>
  );
}
