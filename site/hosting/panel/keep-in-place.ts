/**
 * Keeps the console where it is on the screen while somebody works in it and something above it comes, goes or grows: the
 * page scrolls by what the browser's own scroll anchoring left. Gives a function that ends it.
 */
export function keepInPlace(console: HTMLElement): () => void {
  const place = () => console.getBoundingClientRect().top;
  let before = place();
  const remember = () => {
    before = place();
  };
  const observer = new ResizeObserver(() => {
    if (console.classList.contains('whole')) return;
    const moved = place() - before;
    if (moved !== 0 && console.contains(document.activeElement))
      scrollBy({ top: moved, behavior: 'instant' });
    remember();
  });
  observer.observe(document.body);
  // whoever scrolls moves it on purpose
  addEventListener('scroll', remember, { passive: true });
  return () => {
    observer.disconnect();
    removeEventListener('scroll', remember);
  };
}
