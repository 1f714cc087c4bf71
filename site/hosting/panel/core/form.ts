import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom, type WritableAtom } from 'nanostores';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import type { Events, Result } from '../../shared/request.ts';
import { type PanelMessage, requestFromPanel } from './open-panel.ts';

interface FormDefinition<E extends Events, T, D extends object> {
  /** What is stored. */
  $data: WritableAtom<T | null>;
  /** What the form holds of it: text as it is typed. */
  draftOf(stored: T): D;
  /** The request that stores it. */
  event: E;
  /** What is stored then. */
  read(answer: Result<E>): T;
  /** Whether sending it twice does the same as once. */
  repeatable?: boolean;
}

/** A form of a panel's page: what was typed and not saved yet outlives the loss of the connection. */
interface PanelForm<E extends Events, D extends object> {
  /** null until what is stored was loaded. */
  $draft: ReadableAtom<D | null>;
  /** Why it could not be saved. */
  $refused: WritableAtom<ApiError | null>;
  $saving: ReadableAtom<boolean>;
  /** Whether nothing was typed since it was saved. */
  $saved: WritableAtom<boolean>;
  edit(part: Partial<D>): void;
  /** Takes back what was typed. */
  reset(): void;
  /** Saves it, once at a time. Gives whether it was saved. */
  save(message: PanelMessage<E>): Promise<boolean>;
}

/** The state of a form, and what is done with it. */
export function panelForm<E extends Events, T, D extends object>(
  definition: FormDefinition<E, T, D>,
): PanelForm<E, D> {
  const { $data, draftOf, event, read, repeatable = true } = definition;
  const $draft = atom<D | null>(null);
  const $refused = atom<ApiError | null>(null);
  const $saving = atom(false);
  const $saved = atom(false);
  // what was typed stays when it is loaded again
  $data.listen((stored) => stored && !$draft.get() && $draft.set(draftOf(stored)));
  return {
    ...{ $draft, $refused, $saving, $saved },
    edit(part) {
      const draft = $draft.get();
      $saved.set(false);
      if (draft) $draft.set({ ...draft, ...part });
    },
    reset() {
      const stored = $data.get();
      if (stored) $draft.set(draftOf(stored));
    },
    async save(message) {
      if ($saving.get()) return false;
      $saving.set(true);
      $refused.set(null);
      $saved.set(false);
      const { ok } = await mutate({
        send: () => requestFromPanel(event, message),
        repeatable,
        refresh(answer) {
          const stored = read(answer);
          $data.set(stored);
          $draft.set(draftOf(stored));
          $saved.set(true);
        },
        refused(error) {
          $refused.set(error);
          return true;
        },
      });
      $saving.set(false);
      return ok;
    },
  };
}

/** How a form is now. */
export const usePanelForm = <E extends Events, D extends object>(form: PanelForm<E, D>) => ({
  refused: useStore(form.$refused),
  saving: useStore(form.$saving),
  saved: useStore(form.$saved),
});
