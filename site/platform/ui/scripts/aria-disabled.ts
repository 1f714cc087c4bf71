/**
 * A disabled action stays in the tab order, so that its tooltip can give the reason: `aria-disabled="true"` instead of
 * `disabled`. Activating it does nothing.
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
