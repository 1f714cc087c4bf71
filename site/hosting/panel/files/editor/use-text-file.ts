import type { EditorView } from '@codemirror/view';
import { useStore } from '@nanostores/react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { requestFromPanel } from '../../core/open-panel.ts';
import { $connection } from '../../core/panel.store.ts';
import { modeOf } from '../file-kind.ts';
import { nameOf } from '../paths.ts';
import { codeView } from './code-view.ts';
import { encodeText } from './text-codec.ts';
import { type LoadedText, type LoadProblem, loadText, type SaveResult, saveText } from './text-file.ts';

/** How often it is looked whether somebody else changed the file. */
const look_ms = 5_000;

export interface TextFile {
  host: RefObject<HTMLDivElement | null>;
  state: 'loading' | 'open' | LoadProblem;
  /** Whether something is not saved. */
  isChanged: boolean;
  isSaving: boolean;
  /** Whether the file on the server is another one than that which was opened. */
  isStale: boolean;
  /** Line and column of the cursor, from 1. */
  cursor: { line: number; column: number };
  /** Bytes that the file has, or would have if it were saved now. */
  size: number;
  text(): string;
  /** Saves it, over `etag` if another version was seen. */
  save(etag?: string): Promise<SaveResult>;
  saveAs(path: string): Promise<SaveResult>;
  /** Shows what is on the server now. */
  reload(): void;
}

/** A text file in an editor: loaded, followed while others may change it, and saved. */
export function useTextFile(path: string, onSave: () => void): TextFile {
  const messages = useMessages();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** As it is on the server, as far as is known. */
  const stored = useRef<LoadedText | null>(null);
  const [state, setState] = useState<TextFile['state']>('loading');
  const [isChanged, setChanged] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [isStale, setStale] = useState(false);
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  const [size, setSize] = useState(0);
  /** How often it was wanted from the server, and how often it came. */
  const [loads, setLoads] = useState(1);
  const loaded = useRef(0);
  const isOpen = useStore($connection) === 'open';
  const saveByKey = useRef(onSave);
  saveByKey.current = onSave;

  const updated = useCallback((now: EditorView) => {
    const { head } = now.state.selection.main;
    const line = now.state.doc.lineAt(head);
    setCursor({ line: line.number, column: head - line.from + 1 });
    const text = now.state.doc.toString();
    setChanged(text !== stored.current?.text);
    if (stored.current) setSize(encodeText(text, stored.current.form).length);
  }, []);

  useEffect(() => {
    if (!isOpen || loaded.current === loads) return;
    let isCurrent = true;
    // the place of the editor is there before its text
    setState((now) => (now === 'open' ? now : 'loading'));
    void loadText(path).then(async (result) => {
      if (!isCurrent) return;
      // without a connection it is tried again as soon as there is one
      if (result.ok || result.problem.code !== 'offline') loaded.current = loads;
      if (!result.ok) return setState(result.problem);
      stored.current = result.data;
      setSize(encodeText(result.data.text, result.data.form).length);
      setStale(false);
      if (view.current) {
        const { length } = view.current.state.doc;
        view.current.dispatch({ changes: { from: 0, to: length, insert: result.data.text } });
        return;
      }
      setState('open');
      const made = await codeView({
        ...{ parent: host.current!, text: result.data.text, mode: modeOf(nameOf(path)), name: nameOf(path) },
        ...{ messages, updated, save: () => saveByKey.current() },
      });
      if (!isCurrent) {
        loaded.current = 0;
        return made.destroy();
      }
      view.current = made;
      made.focus();
    });
    return () => {
      isCurrent = false;
    };
  }, [path, messages, updated, loads, isOpen]);
  useEffect(() => () => view.current?.destroy(), []);
  useStaleness(path, stored, setStale);

  const text = () => view.current?.state.doc.toString() ?? '';
  return {
    ...{ host, state, isChanged, isSaving, isStale, cursor, size, text },
    async save(etag = stored.current!.etag) {
      const now = text();
      setSaving(true);
      const result = await saveText(path, now, stored.current!.form, etag);
      setSaving(false);
      if (result.ok) {
        stored.current = { ...stored.current!, text: now, etag: result.etag };
        setStale(false);
        if (view.current) updated(view.current);
      } else if (result.code === 'changed') setStale(true);
      return result;
    },
    saveAs: (to) => saveText(to, text(), stored.current!.form, ''),
    reload: () => setLoads((count) => count + 1),
  };
}

/** Looks again and again whether the file is still the one that was opened. */
function useStaleness(
  path: string,
  stored: RefObject<LoadedText | null>,
  setStale: (is: boolean) => void,
): void {
  useEffect(() => {
    const timer = setInterval(async () => {
      const known = stored.current?.etag;
      if (!known || document.visibilityState !== 'visible' || $connection.get() !== 'open') return;
      const answer = await requestFromPanel('files.stat', { paths: [path] });
      // a save of our own may have come in between
      if (answer.ok && stored.current?.etag === known) setStale(answer.data.entries[0]?.etag !== known);
    }, look_ms);
    return () => clearInterval(timer);
  }, [path, stored, setStale]);
}
