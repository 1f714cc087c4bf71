import type { EditorView, KeyBinding } from '@codemirror/view';
import { readMessages } from '../../text/message-reader.ts';
import { announce } from '../../ui/scripts/live-region.ts';
import { buttonGroups } from '../buttons.ts';
import {
  type CommandName,
  commands,
  continued,
  indented,
  type Selected,
  type TextEdit,
} from '../commands.ts';
import { showAdvice } from './advice.ts';
import { createCodeMirror } from './code-mirror.ts';
import { startDraft } from './draft-offer.ts';
import { markdownEditing } from './markdown.ts';
import { type PictureTarget, uploadPictures, withoutPlaceholders } from './pictures.ts';
import { showPreview } from './preview.ts';
import { roving } from './toolbar.ts';

interface Settings {
  label: string;
  limit: number;
  draft?: string;
  pictures?: PictureTarget;
  advice: boolean;
}

/** Turns the text area of a `MarkdownEditor.astro` into an editor. The text area stays the field of the form, unseen. */
export function startEditor(holder: HTMLElement): void {
  const settings = JSON.parse(holder.dataset.editor!) as Settings;
  const reader = readMessages<'editor.say_' | 'checklist.point_'>(holder);
  const part = (name: string) => holder.querySelector<HTMLElement>(`[data-${name}]`)!;
  const area = holder.querySelector('textarea')!;
  const [write, preview, count] = [part('write'), part('preview'), part('count')];
  const pick = holder.querySelector<HTMLInputElement>('[data-pick]');
  const { pictures } = settings;
  // browsers end lines by one sign in the value, the text of the page may have two
  const start = area.value;

  const run = (command: (text: string, at: Selected) => TextEdit | null) => (view: EditorView) => {
    const { from, to } = view.state.selection.main;
    const edit = command(view.state.doc.toString(), { from, to });
    if (!edit) return false;
    const { anchor, head, ...changes } = edit;
    view.dispatch({ changes, selection: { anchor, head }, scrollIntoView: true, userEvent: 'input' });
    return true;
  };
  const tool = (name: CommandName | 'upload') =>
    name === 'upload'
      ? () => {
          pick?.click();
          return pick !== null;
        }
      : run(commands[name]);
  const keys: KeyBinding[] = [
    ...buttonGroups.flat().map(({ name, key }) => ({ key, run: tool(name), preventDefault: true })),
    { key: 'Enter', run: run(continued) },
    { key: 'Tab', run: run((text, at) => indented(text, at, false)) },
    { key: 'Shift-Tab', run: run((text, at) => indented(text, at, true)) },
  ];

  const host = document.createElement('div');
  host.className = 'editor-host';
  host.style.setProperty('--editor-min', `${area.rows * 1.4}rem`);
  write.append(host);
  const take = (files: File[], view: EditorView) =>
    pictures !== undefined && uploadPictures(view, files, pictures, reader);
  const view = createCodeMirror({
    parent: host,
    doc: start,
    label: settings.label,
    help: part('help').textContent ?? '',
    keys,
    writing: { spellcheck: 'true', autocapitalize: 'sentences', autocorrect: 'on' },
    extensions: markdownEditing({ takesFiles: take, changed: (doc) => changed(withoutPlaceholders(doc)) }),
  });

  const isFocused = document.activeElement === area;
  const selection = { anchor: area.selectionStart, head: area.selectionEnd };
  area.hidden = true;
  // labels and refusals lead to the field of the form
  area.focus = () => {
    show('write');
    view.focus();
  };
  holder.querySelector(`label[for="${area.id}"]`)?.addEventListener('click', () => area.focus());
  if (isFocused) {
    view.dispatch({ selection });
    view.focus();
  }

  const describe = () => {
    const wrong = area.getAttribute('aria-invalid');
    if (wrong) view.contentDOM.setAttribute('aria-invalid', wrong);
    else view.contentDOM.removeAttribute('aria-invalid');
    holder.toggleAttribute('data-invalid', wrong !== null);
    const text = holder.querySelector(`#${area.id}-wrong`)?.textContent ?? '';
    view.dom.querySelector('#note')!.textContent = `${text} ${part('help').textContent ?? ''}`.trim();
  };
  new MutationObserver(describe).observe(area, { attributeFilter: ['aria-invalid'] });
  describe();

  const draft = settings.draft ? startDraft(holder, area, settings.draft, (text) => replace(text)) : null;

  function replace(text: string): void {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }
  function changed(text: string): void {
    area.value = text;
    area.dispatchEvent(new Event('input', { bubbles: true }));
    draft?.keep(text);
    measure(text);
  }
  function measure(text: string): void {
    const length = [...text].length;
    const [shown, limit] = [reader.number(length), reader.number(settings.limit)];
    count.textContent = reader.t('editor.say_count', { shown, limit });
    const isOver = length > settings.limit;
    if (isOver && !count.classList.contains('bad')) announce(reader.t('editor.say_too_long', { limit }));
    count.classList.toggle('bad', isOver);
    if (settings.advice) showAdvice(part('advice'), text, reader);
  }
  measure(start);
  // another text stands in the field now, by the form that it belongs to
  area.addEventListener('text:set', () => {
    if (area.value !== withoutPlaceholders(view.state.doc.toString())) replace(area.value);
  });
  area.form?.addEventListener('reset', () => setTimeout(() => replace(area.defaultValue)));

  // a long preview scrolls by keyboard too
  preview.tabIndex = 0;
  const tabs = [...holder.querySelectorAll<HTMLElement>('[data-view]')];
  let asked: AbortController | undefined;
  function show(name: string): void {
    const isPreview = name === 'preview';
    asked?.abort();
    for (const tab of tabs) {
      tab.ariaSelected = String(tab.dataset.view === name);
      tab.tabIndex = tab.dataset.view === name ? 0 : -1;
    }
    // the page must not jump
    if (isPreview) preview.style.minBlockSize = `${write.offsetHeight}px`;
    preview.hidden = !isPreview;
    write.hidden = isPreview;
    part('tools').toggleAttribute('inert', isPreview);
    if (isPreview) {
      asked = new AbortController();
      void showPreview(preview, area.value, reader, asked.signal);
    } else view.requestMeasure();
  }
  roving(tabs[0]!.parentElement!, tabs, (tab) => show(tab.dataset.view!));
  for (const tab of tabs) tab.addEventListener('click', () => show(tab.dataset.view!));

  const tools = [...holder.querySelectorAll<HTMLElement>('[data-tool]')];
  roving(part('tools'), tools);
  for (const button of tools)
    button.addEventListener('click', () => {
      tool(button.dataset.tool as CommandName | 'upload')(view);
      if (button.dataset.tool !== 'upload') view.focus();
    });
  pick?.addEventListener('change', () => {
    take([...(pick.files ?? [])], view);
    pick.value = '';
    view.focus();
  });
  holder.dataset.ready = '';
}
