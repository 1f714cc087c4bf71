import { prefer } from '../../cosmetics/cosmetics.store.ts';
import styles from '../css/blocked-note.css?url';
import { lateStyle } from '../late-style.ts';

/** The note for a visitor who blocks ads. The answer is `notUsingBlockers` in the `cosmetics` cookie; to leave the page is one too. */
const note = document.querySelector<HTMLElement>('[data-blocked-note]');
const answer = () => prefer({ notUsingBlockers: true });

note?.querySelector('button')?.addEventListener('click', () => {
  answer();
  note.hidePopover();
});
void lateStyle(styles).then(() => {
  note?.showPopover();
  addEventListener('pagehide', answer, { once: true });
});
