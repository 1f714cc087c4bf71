import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';

/** Markdown with tables, tasks and strikethrough. The ready-made package would bring HTML, CSS and JavaScript along. */
const markdown = new Language(defineLanguageFacet(), parser.configure([GFM]), [], 'markdown');

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontFamily: 'var(--font-name)', fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--ink-3)' },
  { tag: [tags.link, tags.url], color: 'var(--accent-ink)' },
  { tag: tags.monospace, fontFamily: 'var(--font-mono)', fontSize: '0.9375em', color: 'var(--good)' },
  { tag: tags.quote, color: 'var(--ink-2)' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink-3)' },
]);

const look = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--field)',
    fontSize: 'var(--t-m)',
    maxBlockSize: 'min(44rem, 80vh)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-text)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--ink)', minBlockSize: 'var(--editor-min, 12rem)' },
  // each line has the direction of its own letters
  '.cm-line': { padding: '0 0.875rem', unicodeBidi: 'plaintext', textAlign: 'start' },
  '.cm-content ::selection': { backgroundColor: 'var(--select)' },
  '.note': {
    position: 'absolute',
    inlineSize: '1px',
    blockSize: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
  },
});

interface Given {
  parent: HTMLElement;
  doc: string;
  label: string;
  /** How to leave it by keyboard, for screen readers. */
  help: string;
  keys: KeyBinding[];
  /** Whether it took the files that were dropped or pasted. */
  takesFiles(files: File[], view: EditorView): boolean;
  changed(doc: string): void;
}

/**
 * The editor below `parent`, in a shadow root: there its style sheets are objects, which the security policy of our pages
 * allows, where it would forbid `<style>` elements.
 */
export function createCodeMirror({ parent, doc, label, help, keys, takesFiles, changed }: Given): EditorView {
  const root = parent.attachShadow({ mode: 'open' });
  const note = document.createElement('p');
  note.id = 'note';
  note.className = 'note';
  note.textContent = help;
  const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])];
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null, view: EditorView) => {
    const files = filesOf(data);
    if (files.length === 0 || !takesFiles(files, view)) return false;
    event.preventDefault();
    return true;
  };
  const state = EditorState.create({
    doc,
    extensions: [
      history(),
      keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
      markdown,
      syntaxHighlighting(highlighting),
      look,
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': 'note',
        // its scrolling parent must hold something that the Tab key reaches
        tabindex: '0',
        spellcheck: 'true',
        autocapitalize: 'sentences',
        autocorrect: 'on',
      }),
      EditorView.domEventHandlers({
        paste: (event, view) => take(event, event.clipboardData, view),
        drop: (event, view) => take(event, event.dataTransfer, view),
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  view.dom.append(note);
  return view;
}
