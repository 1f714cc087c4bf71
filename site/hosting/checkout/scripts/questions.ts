/** Keeps the fragment of the address in sync with the open question, so that it can be shared. */
const questions = [...document.querySelectorAll<HTMLDetailsElement>('[data-question]')];

function follow(): void {
  const one = questions.find(({ id }) => location.hash === `#${id}`);
  if (!one) return;
  one.open = true;
  one.scrollIntoView({ block: 'nearest' });
}
for (const one of questions) {
  one.querySelector('summary')?.addEventListener('click', () => {
    // this runs before the browser toggles: closed means about to open
    if (!one.open) history.replaceState(history.state, '', `#${one.id}`);
  });
}
addEventListener('hashchange', follow);
follow();

export {};
