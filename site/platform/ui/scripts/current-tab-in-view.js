(() => {
  const tabs = document.currentScript.previousElementSibling;
  const tab = tabs.querySelector('[aria-current]');
  if (!tab) return;
  const middle = (element) => {
    const { left, width } = element.getBoundingClientRect();
    return left + width / 2;
  };
  tabs.scrollLeft += middle(tab) - middle(tabs);
})();
