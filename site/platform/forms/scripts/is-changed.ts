export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The fields of a form that are sent, in their order. */
export const controlsOf = (form: HTMLFormElement): Control[] =>
  ([...form.elements] as (Control | HTMLButtonElement | HTMLFieldSetElement)[]).filter(
    (one): one is Control =>
      one.name !== '' && !(one instanceof HTMLButtonElement || one instanceof HTMLFieldSetElement),
  );

/** Whether a named control of the form differs from what the page came with. */
export const isFormChanged = (form: HTMLFormElement): boolean => controlsOf(form).some(isChanged);

/** Whether a field differs from what the page came with; hidden ones never do. */
export function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    // where none is chosen from the start, the browser chooses the first
    const first = [...control.options].findIndex((option) => option.defaultSelected);
    return control.length > 0 && control.selectedIndex !== Math.max(0, first);
  }
  if (/^(checkbox|radio)$/.test(control.type))
    return (control as HTMLInputElement).checked !== (control as HTMLInputElement).defaultChecked;
  // line ends differ between what was sent and what a text area gives
  return (
    control.type !== 'hidden' && control.value.replace(/\r/g, '') !== control.defaultValue.replace(/\r/g, '')
  );
}
