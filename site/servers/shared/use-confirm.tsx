import { useStore } from '@nanostores/react';
import { type ReactNode, useState } from 'react';
import { later } from '../panel/later.tsx';
import { $suppressed } from './confirmations.store.ts';

/** An action to confirm. */
export interface Confirmation {
  title: string;
  text: string;
  /** Where something is done first. */
  link?: { href: string; text: string };
  action: string;
  /** The key under which the user can suppress this confirmation; without it the dialog always opens. */
  suppress_key?: string;
  /** Text that must be typed to confirm. */
  typed?: { label: string; text: string };
  act(): void;
}

/** Loaded when the first question is asked. */
const ConfirmDialog = later(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog);

/** Opens a confirmation dialog, unless suppressed. Call `confirm` on the action and render `dialog` anywhere. */
export function useConfirm(): { confirm(question: Confirmation): void; dialog: ReactNode } {
  const [question, setQuestion] = useState<Confirmation | null>(null);
  const unasked = useStore($suppressed);
  return {
    confirm: (confirmation) =>
      confirmation.suppress_key && unasked.includes(confirmation.suppress_key)
        ? confirmation.act()
        : setQuestion(confirmation),
    dialog: question && <ConfirmDialog question={question} done={() => setQuestion(null)} />,
  };
}
