/** A question that is opened is what the address says, and the other way round, so that it can be sent to a friend. */
const questions = [...document.querySelectorAll<HTMLDetailsElement>('[data-question]')];

function follow(): void {
  const one = questions.find(({ id }) => location.hash === `#${id}`);
  if (!one) return;
  one.open = true;
  one.scrollIntoView({ block: 'nearest' });
}
for (const one of questions) {
  one.querySelector('summary')?.addEventListener('click', () => {
    // before the browser turns it: closed means about to open
    if (!one.open) history.replaceState(history.state, '', `#${one.id}`);
  });
}
addEventListener('hashchange', follow);
follow();

export {};
