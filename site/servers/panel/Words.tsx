import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { PanelTexts } from './words.ts';
import { type Words, wordsOf } from './words-of.ts';

/** The words of the islands around, given to everything in them. */
const Here = createContext<Words | null>(null);

export function Speaking({ texts, children }: { texts: PanelTexts; children: ReactNode }) {
  const words = useMemo(() => wordsOf(texts), [texts]);
  return <Here value={words}>{children}</Here>;
}

export function useWords(): Words {
  const words = useContext(Here);
  if (!words) throw new Error('outside of Speaking');
  return words;
}
