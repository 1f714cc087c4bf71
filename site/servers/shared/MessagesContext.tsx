import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { PanelTexts } from './message-keys.ts';
import { type Messages, messagesOf } from './messages.ts';

/** The messages for the islands below. */
const MessagesContext = createContext<Messages | null>(null);

export function MessagesProvider({ texts, children }: { texts: PanelTexts; children: ReactNode }) {
  const messages = useMemo(() => messagesOf(texts), [texts]);
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}

export function useMessages(): Messages {
  const messages = useContext(MessagesContext);
  if (!messages) throw new Error('MessagesProvider is missing');
  return messages;
}
