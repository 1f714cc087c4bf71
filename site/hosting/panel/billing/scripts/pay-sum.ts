/** The button of a renewal names the sum of the interval that is chosen; without scripts it names none. */

const choice = document.querySelector<HTMLSelectElement>('#pay select[name=interval]');
const button = choice?.form?.querySelector('button[type=submit]');

function show(): void {
  const pays = choice?.selectedOptions[0]?.dataset.pays;
  if (button && pays) button.textContent = pays;
}

show();
choice?.addEventListener('change', show);
// a browser may restore the form's fields
addEventListener('pageshow', show);
