import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
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

interface Given {
  /** Whether it took the files that were dropped or pasted. */
  takesFiles(files: File[], view: EditorView): boolean;
  changed(doc: string): void;
}

/** What the editor for descriptions adds to CodeMirror: Markdown, and pictures that are dropped or pasted. */
export function markdownEditing({ takesFiles, changed }: Given): Extension {
  const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])];
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null, view: EditorView) => {
    const files = filesOf(data);
    if (files.length === 0 || !takesFiles(files, view)) return false;
    event.preventDefault();
    return true;
  };
  return [
    markdown,
    syntaxHighlighting(highlighting),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.domEventHandlers({
      paste: (event, view) => take(event, event.clipboardData, view),
      drop: (event, view) => take(event, event.dataTransfer, view),
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
}
