/**
 * Keeps the console where it is on the screen while somebody works in it and something above it comes, goes or grows: the
 * page scrolls by as much. Gives a function that ends it.
 */
export function keepInPlace(console: HTMLElement): () => void {
  const place = () => console.getBoundingClientRect().top + scrollY;
  let before = place();
  const observer = new ResizeObserver(() => {
    if (console.classList.contains('whole')) return;
    const now = place();
    if (now !== before && console.contains(document.activeElement))
      scrollBy({ top: now - before, behavior: 'instant' });
    before = now;
  });
  observer.observe(document.body);
  return () => observer.disconnect();
}
