/** Scrolls tabs that are wider than the page to the current one: a ref callback. */
export function currentInView(tabs: HTMLElement | null): void {
  const tab = tabs?.querySelector('[aria-current]');
  if (!tabs || !tab) return;
  const middle = (element: Element) => {
    const { left, width } = element.getBoundingClientRect();
    return left + width / 2;
  };
  tabs.scrollLeft += middle(tab) - middle(tabs);
}
