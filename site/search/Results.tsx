import { useStore } from '@nanostores/react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { userPath } from '../profile/places.ts';
import { fill } from '../text/fill.ts';
import { exactNumber } from '../text/format.ts';
import { Empty } from '../ui/Empty.tsx';
import { Pages } from '../ui/Pages.tsx';
import { Chips } from './Chips.tsx';
import { Row } from './Row.tsx';
import { $found, addressOf, type Found } from './search.store.ts';
import { useSearchForm } from './useSearchForm.ts';
import type { Words } from './words.ts';

export interface ResultsProps {
  /** What the server found. */
  first: Found;
  type: string;
  /** The screen's path, and the language its address asks for. */
  base: string;
  hl: string | null;
  formatting: string;
  now: string;
  words: Words;
  found: Record<string, string>;
  /** Names of categories and loaders for people. */
  names: Record<string, string>;
}

/** Hits, active filters and pages of a search screen: the server's at first, then what the form around it asks for. */
export function Results({ first, type, base, hl, formatting, now, words, found, names }: ResultsProps) {
  const shown = useStore($found) ?? first;
  const heading = useRef<HTMLHeadingElement>(null);
  const { go } = useSearchForm({
    first,
    type,
    base,
    hl,
    failedTitle: words['shell.problem_title'],
    failedText: words['search.failed'],
  });
  const { state, hits, total } = shown;
  const messages = {
    locale: formatting,
    formatting,
    t: (key: string, values = {}) => fill(words[key as keyof Words] ?? key, values),
  };
  const kept = hl ? `?hl=${encodeURIComponent(hl)}` : '';
  const turn = (page: number, event: MouseEvent) => {
    event.preventDefault();
    go({ ...state, page });
    heading.current?.focus();
  };
  const form = new Intl.PluralRules(formatting).select(total);
  const howMany = fill(found[form] ?? found.other ?? '', { shown: exactNumber(messages, total) });
  const showing = fill(words['search.show_found'], { found: howMany });
  useEffect(() => {
    const button = document.querySelector('[data-show]'); // closes the sheet; the server drew it
    if (button) button.textContent = showing;
  }, [showing]);
  return (
    <>
      <div className="found">
        <Chips
          state={state}
          names={names}
          words={words}
          href={(next) => addressOf(base, next, hl)}
          onGo={go}
        />
        <p className="meta" role="status">
          {howMany}
        </p>
      </div>
      <h2 className="hide" ref={heading} tabIndex={-1}>
        {words['search.results']}
      </h2>
      {hits.length > 0 ? (
        <ul className="list">
          {hits.map((hit) => (
            <Row
              key={hit.project_id}
              hit={hit}
              href={`/${type}/${encodeURIComponent(hit.slug ?? hit.project_id)}${kept}`}
              author={userPath(hit.author) + kept}
              by={words['search.by']}
              names={names}
              messages={messages}
              now={now}
            />
          ))}
        </ul>
      ) : (
        <Empty title={words['search.none']} text={words['search.none_text']} />
      )}
      <Pages
        page={state.page}
        pages={Math.min(Math.ceil(total / state.size), 10_000 / state.size)}
        address={addressOf(base, { ...state, page: 7_777 }, hl).replace('page=7777', 'page={page}')}
        words={words}
        onGo={turn}
      />
    </>
  );
}
