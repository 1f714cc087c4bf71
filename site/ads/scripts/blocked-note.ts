import { prefer } from '../../cosmetics/cosmetics.store.ts';

const note = document.querySelector<HTMLElement>('[data-blocked-note]');
const answer = () => prefer({ notUsingBlockers: true });

note?.showPopover();
note?.querySelector('button')?.addEventListener('click', () => {
  answer();
  note.hidePopover();
});
addEventListener('pagehide', answer, { once: true });
