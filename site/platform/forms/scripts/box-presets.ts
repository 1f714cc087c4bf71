/** The chips of `BoxPresets.astro`: each checks its boxes, and is pressed while exactly those are checked. */
for (const presets of document.querySelectorAll<HTMLElement>('[data-presets]')) {
  const place = presets.parentElement!.closest('fieldset, section')!;
  const boxes = [...place.querySelectorAll<HTMLInputElement>('[type=checkbox]:not(:disabled)')];
  const chips = [...presets.querySelectorAll('button')];
  const has = (chip: HTMLElement, { name }: HTMLInputElement) =>
    chip.dataset.boxes!.split(' ').includes(name);
  const update = () => {
    for (const chip of chips) {
      const pressed = boxes.every((box) => box.checked === has(chip, box));
      chip.ariaPressed = String(pressed);
      chip.classList.toggle('on', pressed);
    }
  };
  for (const chip of chips)
    chip.addEventListener('click', () => {
      for (const box of boxes) box.checked = has(chip, box);
      place.dispatchEvent(new Event('change', { bubbles: true }));
      update();
    });
  place.addEventListener('change', update);
  // after the fields are back
  boxes[0]?.form?.addEventListener('reset', () => setTimeout(update));
  presets.hidden = boxes.length === 0;
  update();
}

export {};
