import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, type KeyBinding, keymap } from '@codemirror/view';

const look = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--field)',
    fontSize: 'var(--t-m)',
    maxBlockSize: 'var(--editor-max, min(44rem, 80vh))',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--editor-font, var(--font-text))', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--ink)', minBlockSize: 'var(--editor-min, 12rem)' },
  // each line has the direction of its own letters
  '.cm-line': { padding: '0 0.875rem', unicodeBidi: 'plaintext', textAlign: 'start' },
  '.cm-content ::selection': { backgroundColor: 'var(--select)', color: 'var(--ink)' },
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
  /** Attributes that say how it is written in: spelling, capitals. */
  writing: Record<string, string>;
  /** Language and the like. */
  extensions: Extension;
}

/**
 * An editor below `parent`, in a shadow root: there its style sheets are objects, which the security policy of our pages
 * allows, where it would forbid `<style>` elements. Descriptions (`markdown.ts`) and files of servers are written in it.
 */
export function createCodeMirror({ parent, doc, label, help, keys, writing, extensions }: Given): EditorView {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const note = document.createElement('p');
  note.id = 'note';
  note.className = 'note';
  note.textContent = help;
  const state = EditorState.create({
    doc,
    extensions: [
      history(),
      keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
      look,
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': 'note',
        // its scrolling parent must hold something that the Tab key reaches
        tabindex: '0',
        ...writing,
      }),
      extensions,
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  view.dom.append(note);
  return view;
}
