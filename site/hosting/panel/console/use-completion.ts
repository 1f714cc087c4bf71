import { useEffect, useMemo, useState } from 'react';
import type { KnownCommand } from '#control/protocol/console.ts';
import type { Suggestion } from './complete-command.ts';

/** The command field with its suggestions. */
export interface Completion {
  /** What the field shows: what was typed, or the suggestion that the arrow keys chose. */
  text: string;
  typed: string;
  suggestions: readonly Suggestion[];
  /** The suggestion that Tab accepts. */
  active: number;
  /** The user typed: suggestions follow. */
  type(text: string): void;
  /** Another text without suggestions, such as one from the history. */
  put(text: string): void;
  /** As `put`, unless something was typed meanwhile. */
  restore(text: string): void;
  /** The next (1) or previous (-1) suggestion; gives false when there is none that way. */
  move(by: 1 | -1): boolean;
  accept(at: number): void;
  /** Hides the suggestions; gives false when there were none. */
  close(): boolean;
}

/** Ids of the list and of its options, for the field that controls them. */
export const list_id = 'command-suggestions';
export const optionId = (at: number): string => `command-suggestion-${at}`;

/** Nothing is chosen: the field shows what was typed, and Tab accepts the first. */
const nothing = -1;

export function useCompletion(commands: readonly KnownCommand[]): Completion {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(nothing);
  const suggest = useSuggest(commands.length > 0);
  const suggestions = useMemo(
    () => (isOpen && suggest ? suggest(typed, commands) : []),
    [isOpen, suggest, typed, commands],
  );
  const text = suggestions[chosen]?.text ?? typed;
  const set = (to: string, open: boolean) => {
    setTyped(to);
    setOpen(open);
    setChosen(nothing);
  };
  return {
    text,
    typed,
    suggestions,
    active: Math.max(0, chosen),
    type: (to) => set(to, true),
    put: (to) => set(to, false),
    restore: (to) => setTyped((newer) => newer || to),
    move(by) {
      const to = chosen + by;
      if (to < nothing || to >= suggestions.length || suggestions.length === 0) return false;
      setChosen(to);
      return true;
    },
    accept(at) {
      const accepted = suggestions[at];
      if (accepted) set(accepted.is_partial ? `${accepted.text} ` : accepted.text, true);
    },
    close() {
      if (suggestions.length === 0) return false;
      set(text, false);
      return true;
    },
  };
}

type Suggest = typeof import('./suggest.ts').suggest;
let loaded: Suggest | null = null;

/** What finds suggestions, loaded with the first commands. */
function useSuggest(isWanted: boolean): Suggest | null {
  const [suggest, setSuggest] = useState(() => loaded);
  useEffect(() => {
    if (!isWanted || loaded) return;
    void import('./suggest.ts').then((module) => {
      loaded = module.suggest;
      setSuggest(() => loaded);
    });
  }, [isWanted]);
  return suggest;
}
