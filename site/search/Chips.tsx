import type { MouseEvent } from 'react';
import { fill } from '../text/fill.ts';
import { Icon } from '../ui/Icon.tsx';
import { type ListName, lists, type SearchState } from './state.ts';
import type { Words } from './words.ts';

interface ChipsProps {
  state: SearchState;
  names: Record<string, string>;
  words: Words;
  href(state: SearchState): string;
  onGo(state: SearchState): void;
}

/** The active filters, each a link that takes it away. */
export function Chips({ state, names, words, href, onGo }: ChipsProps) {
  const named = (list: ListName, value: string) => {
    const sides: Record<string, string> = { client: words['search.client'], server: words['search.server'] };
    const name = (list === 'sides' ? sides : names)[value] ?? value;
    return list.startsWith('not_') ? fill(words['search.not'], { name }) : name;
  };
  const chips = (Object.keys(lists) as ListName[]).flatMap((list) =>
    state[list].map((value) => ({
      key: `${list} ${value}`,
      out: list.startsWith('not_'),
      shown: named(list, value),
      without: { ...state, page: 1, [list]: state[list].filter((one) => one !== value) },
    })),
  );
  if (state.open_source) {
    const without = { ...state, page: 1, open_source: false };
    chips.push({ key: 'open source', out: false, shown: words['search.open_source'], without });
  }
  if (chips.length === 0) return <div />;
  const nothing = Object.fromEntries(Object.keys(lists).map((list) => [list, []]));
  const going = (next: SearchState) => (event: MouseEvent) => {
    event.preventDefault();
    onGo(next);
  };
  const clear = { ...state, ...nothing, open_source: false, page: 1 } as SearchState;
  return (
    <ul className="row wrap" aria-label={words['search.active']}>
      {chips.map(({ key, out, shown, without }) => (
        <li key={key}>
          <a
            className={out ? 'chip not' : 'chip on'}
            aria-label={fill(words['search.remove'], { name: shown })}
            href={href(without)}
            onClick={going(without)}
          >
            <bdi>{shown}</bdi>
            <Icon name="x" />
          </a>
        </li>
      ))}
      <li>
        <a className="btn quiet s" href={href(clear)} onClick={going(clear)}>
          {words['search.clear']}
        </a>
      </li>
    </ul>
  );
}
