import { matching, moved } from '../combobox.ts';

/**
 * Turns a select into a combobox: typing filters the list, arrow keys move, Enter and a click choose, Escape closes and
 * restores the previous value. The select stays, hidden, and is submitted with the form. Source: ARIA patterns
 * (combobox).
 */
function start(select: HTMLSelectElement): void {
  const around = select.parentElement!;
  const box = document.createElement('input');
  const list = document.createElement('div');
  const texts = [...select.options].map(({ text }) => text);
  let visible: number[] = [];
  let at = -1;

  list.id = `${select.id}-list`;
  list.role = 'listbox';
  list.hidden = true;
  list.ariaLabel = select.labels[0]?.textContent ?? '';
  box.className = 'in';
  box.role = 'combobox';
  box.autocomplete = 'off';
  box.spellcheck = false;
  box.setAttribute('aria-controls', list.id);
  box.setAttribute('aria-autocomplete', 'list');
  box.disabled = select.disabled;
  // the label now labels the box
  box.id = select.id;
  select.id = `${select.id}-chosen`;
  select.hidden = true;
  around.prepend(box);
  around.append(list);
  around.querySelector('svg')?.removeAttribute('hidden');

  const chosen = () => texts[select.selectedIndex] ?? '';
  const restore = () => {
    box.value = chosen();
  };
  const point = (to: number) => {
    at = to;
    for (const [index, option] of [...list.children].entries()) option.classList.toggle('at', index === at);
    const option = at < 0 ? null : list.children[at];
    if (option) {
      box.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else box.removeAttribute('aria-activedescendant');
  };
  const open = (typed: string) => {
    visible = matching(texts, typed);
    list.replaceChildren(...visible.map(optionOf));
    if (visible.length === 0) list.append(none());
    list.hidden = false;
    box.ariaExpanded = 'true';
    // Enter takes the first of what was found
    point(typed && visible.length > 0 ? 0 : visible.indexOf(select.selectedIndex));
  };
  const close = () => {
    list.hidden = true;
    box.ariaExpanded = 'false';
    point(-1);
  };
  const choose = (index: number) => {
    const next = visible[index];
    if (next === undefined) return;
    const isNew = next !== select.selectedIndex;
    select.selectedIndex = next;
    restore();
    close();
    if (isNew) select.dispatchEvent(new Event('change', { bubbles: true }));
  };

  function optionOf(index: number): HTMLElement {
    const option = document.createElement('div');
    option.role = 'option';
    option.id = `${list.id}-${index}`;
    option.dir = 'auto';
    option.textContent = texts[index]!;
    option.ariaSelected = String(index === select.selectedIndex);
    return option;
  }
  function none(): HTMLElement {
    const line = document.createElement('div');
    line.className = 'none';
    line.role = 'option';
    line.ariaDisabled = 'true';
    line.textContent = around.dataset.none ?? '';
    return line;
  }

  box.addEventListener('input', () => open(box.value));
  box.addEventListener('click', () => {
    if (list.hidden) open('');
  });
  box.addEventListener('focus', () => box.select());
  box.addEventListener('blur', () => {
    close();
    restore();
  });
  box.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) open('');
      else point(moved(at, event.key === 'ArrowDown' ? 1 : -1, visible.length));
    } else if (event.key === 'Enter' && !list.hidden) {
      event.preventDefault();
      choose(at);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
      restore();
    }
  });
  list.addEventListener('mousedown', (event) => event.preventDefault()); // the box keeps the focus
  list.addEventListener('click', ({ target }) => choose([...list.children].indexOf(target as Element)));
  select.form?.addEventListener('reset', () => setTimeout(restore));
  close();
  restore();
}

for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-combobox]')) start(select);
