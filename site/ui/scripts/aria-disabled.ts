/**
 * What cannot be done now keeps its place in the order of the keyboard, so that its tooltip can say why:
 * `aria-disabled="true"` instead of `disabled`. Pressing it does nothing.
 */
document.addEventListener(
  'click',
  (event) => {
    if (!(event.target as Element).closest?.('[aria-disabled="true"]')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);
