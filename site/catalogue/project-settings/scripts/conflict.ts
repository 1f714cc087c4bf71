/** Fills the fields of a part with the version that is chosen: the other one's, or again what was typed. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isBox = (control: Control): control is HTMLInputElement => /^(checkbox|radio)$/.test(control.type);

for (const part of document.querySelectorAll<HTMLElement>('[data-conflict] [data-theirs]')) {
  const form = part.closest('form')!;
  const theirs = Object.entries(JSON.parse(part.dataset.theirs!) as Record<string, string | undefined>);
  const controlsOf = (name: string) => [...form.querySelectorAll<Control>(`[name="${CSS.escape(name)}"]`)];
  const typed = new Map<Control, string | boolean>();
  part.addEventListener('change', ({ target }) => {
    const isTheirs = (target as HTMLInputElement).value === 'theirs';
    for (const [name, value] of theirs)
      for (const control of controlsOf(name)) {
        if (isTheirs) typed.set(control, isBox(control) ? control.checked : control.value);
        const mine = typed.get(control);
        if (isBox(control)) control.checked = isTheirs ? control.value === (value ?? '') : mine === true;
        else control.value = isTheirs ? (value ?? '') : String(mine ?? '');
        control.dispatchEvent(new Event('input', { bubbles: true }));
      }
  });
}

export {};
