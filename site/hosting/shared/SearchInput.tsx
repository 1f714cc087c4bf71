import type { KeyboardEvent } from 'react';
import { Icon } from './Icon.tsx';

interface SearchInputProps {
  label: string;
  hint?: string;
  query: string;
  setQuery(query: string): void;
  onKeyDown?(event: KeyboardEvent): void;
}

/** A search field for content on the page. */
export const SearchInput = ({ label, hint = label, query, setQuery, onKeyDown }: SearchInputProps) => (
  <label className="seek">
    <Icon name="search" />
    <input
      className="in"
      type="search"
      // an empty field has the page's direction, or its placeholder would be on the wrong side
      dir={query === '' ? undefined : 'auto'}
      value={query}
      maxLength={200}
      autoComplete="off"
      aria-label={label}
      placeholder={hint}
      onChange={(event) => setQuery(event.target.value)}
      onKeyDown={onKeyDown}
    />
  </label>
);
