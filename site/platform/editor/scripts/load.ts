import { readDraft } from './drafts.ts';

/**
 * Loads the editor on pages that have one; until then, and where it does not load, the text area is there. One that waits is
 * loaded when it is first used, or when there is a draft to offer.
 */
const load = async (holder: HTMLElement): Promise<void> => (await import('./editor.ts')).startEditor(holder);

for (const holder of document.querySelectorAll<HTMLElement>('[data-editor]')) {
  const { lazy, draft } = JSON.parse(holder.dataset.editor!) as { lazy?: boolean; draft?: string };
  if (lazy && !(draft && readDraft(draft))) onFirstUse(holder);
  else void load(holder);
}

function onFirstUse(holder: HTMLElement): void {
  let clicked: HTMLElement | null = null;
  let isAsked = false;
  const use = ({ type, target }: Event) => {
    if (type === 'click') clicked = (target as Element).closest<HTMLElement>('button');
    if (isAsked) return;
    isAsked = true;
    void load(holder).then(
      () => {
        for (const name of events) holder.removeEventListener(name, use);
        clicked?.click();
      },
      () => {
        isAsked = false;
      },
    );
  };
  // a picture that is dragged over it is about to be dropped
  const events = ['focusin', 'click', 'dragenter'];
  for (const name of events) holder.addEventListener(name, use);
}
