/** Narrows the list while somebody types, when all of it is there; the form does the same by the address. */
const list = document.querySelector<HTMLElement>('[data-entries][data-live]');
const box = document.querySelector<HTMLInputElement>('[data-find-entry]');

box?.addEventListener('input', () => {
  if (!list) return;
  const typed = box.value.trim().toLowerCase();
  let some = false;
  for (const section of list.children as HTMLCollectionOf<HTMLElement>) {
    let any = false;
    for (const row of section.querySelectorAll<HTMLElement>('[data-entry]')) {
      row.hidden = !row.textContent.toLowerCase().includes(typed);
      any ||= !row.hidden;
    }
    section.hidden = !any;
    some ||= any;
  }
  document.querySelector<HTMLElement>('[data-no-entry]')!.hidden = some;
});

export {};
