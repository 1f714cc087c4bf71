/**
 * Whether a button was pressed before its script had come, which `first.js` marks: then the script does now what it does on
 * a click. Any mark is removed.
 */
export function takeEarlyPress(button: HTMLElement): boolean {
  const is_pressed = button.dataset.pressed !== undefined;
  delete button.dataset.pressed;
  return is_pressed;
}
