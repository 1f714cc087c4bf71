/** `/` puts the cursor into the search box, unless one is writing. */
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as HTMLElement).closest('input, textarea, select, [contenteditable]')) return;
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-find]')];
  const box = boxes.find((one) => one.offsetParent !== null);
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});
