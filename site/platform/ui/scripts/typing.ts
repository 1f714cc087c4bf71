/**
 * Whether a key goes into something that text is typed into: no shortcut of one key may take it. An editor stands in a
 * shadow root, and outside of that the target of its events is only the element around it.
 */
export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
