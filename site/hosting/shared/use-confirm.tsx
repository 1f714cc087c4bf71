import { useStore } from '@nanostores/react';
import { type ReactNode, useState } from 'react';
import { later } from '../../platform/ui/later.tsx';
import type { Confirmation } from './confirmation.ts';
import { $suppressed } from './confirmations.store.ts';

export type { Confirmation } from './confirmation.ts';

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
