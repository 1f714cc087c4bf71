type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement;

/** Whether a named control of the form differs from what the page came with. */
export const isFormChanged = (form: HTMLFormElement): boolean =>
  ([...form.elements] as Control[]).some((one) => one.name && isChanged(one));

function isChanged(control: Control): boolean {
  if (control instanceof HTMLButtonElement) return false;
  if (control instanceof HTMLSelectElement)
    return [...control.options].some((option) => option.selected !== option.defaultSelected);
  if (/^(checkbox|radio)$/.test(control.type))
    return (control as HTMLInputElement).checked !== (control as HTMLInputElement).defaultChecked;
  // line ends differ between what was sent and what a text area gives
  return (
    control.type !== 'hidden' && control.value.replace(/\r/g, '') !== control.defaultValue.replace(/\r/g, '')
  );
}
