import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { type MessageReader, messageReader } from './message-reader.ts';

export interface PageMessages extends MessageReader {
  /** An address of our own, in the language of the page. */
  link(path: string): string;
}
const MessagesContext = createContext<PageMessages | null>(null);

interface ProviderProps {
  messages: IslandMessages;
  /** `?hl=…` while the address has one: links go on in that language. */
  query?: string;
  children: ReactNode;
}

/** Gives the texts of an island to everything in it. */
export function MessagesProvider({ messages, query = '', children }: ProviderProps) {
  const reader = useMemo(
    () => ({ ...messageReader(messages), link: (path: string) => path + query }),
    [messages, query],
  );
  return <MessagesContext value={reader}>{children}</MessagesContext>;
}

/** The texts of the island around. */
export function useMessages(): PageMessages {
  const reader = useContext(MessagesContext);
  if (!reader) throw new Error('no MessagesProvider around');
  return reader;
}
