/** The options below a search box, one of which may be active while the box keeps the focus. */
export interface Listbox {
  /** Replaces the options; none of them is active. */
  show(next: HTMLElement[]): void;
  /** Makes the option at `place` active, none when there is no such option. */
  choose(place: number): void;
  chosen(): HTMLElement | null;
  first(): HTMLElement | null;
  /** Moves the active option by `step`; between last and first comes the typed text. */
  move(step: 1 | -1): void;
  /** Moves an existing active option to the first or last; gives whether there was one. */
  jump(to: 'first' | 'last'): boolean;
}

/** The options of `box`, shown in `list`; they need ids. */
export function createListbox(box: HTMLInputElement, list: HTMLElement): Listbox {
  let options: HTMLElement[] = [];
  let chosen = -1;

  function choose(place: number): void {
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = place;
    const option = options[place];
    if (!option) {
      box.removeAttribute('aria-activedescendant');
      return;
    }
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    box.setAttribute('aria-activedescendant', option.id);
  }

  return {
    show(next) {
      choose(-1);
      options = next;
      list.replaceChildren(...options);
      list.hidden = options.length === 0;
      box.setAttribute('aria-expanded', String(options.length > 0));
    },
    choose,
    chosen: () => options[chosen] ?? null,
    first: () => options[0] ?? null,
    move(step) {
      const positions = options.length + 1;
      choose(((chosen + 1 + step + positions) % positions) - 1);
    },
    jump(to) {
      if (chosen < 0) return false;
      choose(to === 'first' ? 0 : options.length - 1);
      return true;
    },
  };
}

interface Combobox {
  form: HTMLFormElement;
  box: HTMLInputElement;
  panel: HTMLElement;
  listbox: Listbox;
  /** Asks for the options of what is typed. */
  request(): void;
  close(): void;
  /** Follows an option; gives whether there was one. Without one Enter submits the form. */
  enter(): boolean;
}

/** Binds the keys and pointers of the ARIA combobox pattern to a search box with a panel. */
export function bindCombobox({ form, box, panel, listbox, request, close, enter }: Combobox): void {
  const keys: Record<string, () => boolean> = {
    ArrowDown: () => {
      if (panel.hidden) request();
      else listbox.move(1);
      return true;
    },
    ArrowUp: () => {
      if (!panel.hidden) listbox.move(-1);
      return !panel.hidden;
    },
    // without an active option these move the text cursor
    Home: () => listbox.jump('first'),
    End: () => listbox.jump('last'),
    Enter: enter,
    Escape: () => {
      if (panel.hidden) box.value = '';
      close();
      return true;
    },
  };
  box.addEventListener('keydown', (event) => {
    // 229: the Enter that ends a composition, in browsers that send it after compositionend
    if (event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (keys[event.key]?.()) event.preventDefault();
  });
  box.addEventListener('input', (event) => {
    if (!(event as InputEvent).isComposing) request(); // no request while an input method is composing
  });
  box.addEventListener('compositionend', request);
  box.addEventListener('click', () => {
    if (panel.hidden) request();
  });
  // the box keeps the focus while the pointer presses an option, so that the options stay until the click
  panel.addEventListener('mousedown', (event) => {
    if (event.button === 0) event.preventDefault();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (document.hasFocus() && !form.contains(relatedTarget as Node | null)) close();
  });
}
