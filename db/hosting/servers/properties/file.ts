import { PropertiesEditor } from 'properties-file/editor';

/**
 * The file `server.properties`: comments, order, unknown keys and line ends stay as they are, only the values that were
 * changed are written anew. Source: hosting §1b.
 */

/** Where it is, from the server's folder. */
export const properties_path = 'server.properties';

/** What the file says: of a key that is there twice the last line counts, as for the game. */
export interface PropertiesFile {
  values: ReadonlyMap<string, string>;
  /** Keys with several lines. */
  repeated: readonly string[];
}

/** Text of the bytes of a file: UTF-8 where they are that, otherwise Latin-1, as older versions of the game write it. */
export function decodeProperties(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Keys and values of the text of a file. Never throws: what is no property is left alone. */
export function readProperties(text: string): PropertiesFile {
  const editor = parsed(text);
  const lines = new Map<string, number>();
  const values = new Map<string, string>();
  for (const { key, value } of editor.getProperties()) {
    lines.set(key, (lines.get(key) ?? 0) + 1);
    values.set(key, value);
  }
  return { values, repeated: [...lines].filter(([, count]) => count > 1).map(([key]) => key) };
}

/**
 * The bytes of the file with these values: the last line of a key is changed, a new key goes to the end. What is not ASCII is
 * written as `\uXXXX`, which every version of the game reads; the rest of the file keeps its encoding.
 */
export function changeProperties({
  bytes,
  changes,
}: {
  bytes: Uint8Array;
  changes: ReadonlyMap<string, string>;
}): Uint8Array {
  const text = decodeProperties(bytes);
  // the end of the last line is no line of its own, so that a new key follows at once
  const [end = ''] = /\r?\n$/.exec(text) ?? [];
  const editor = parsed(text.slice(0, text.length - end.length));
  for (const [key, value] of changes) {
    const done = editor.update(key, { newValue: value, escapeUnicode: true });
    if (!done) editor.insert(key, value, { escapeUnicode: true });
  }
  // the library begins a new file with an empty line
  const changed = text.trim() === '' ? `${editor.format().trimStart()}\n` : editor.format() + end;
  return isUtf8(bytes) ? new TextEncoder().encode(changed) : latin1(changed);
}

/** A malformed escape throws in the library, and stops the game: it becomes plain text. Takes linear time. */
function parsed(text: string): PropertiesEditor {
  // by the ends of lines that the format knows: `^` with the flag `m` also begins after U+2028, and read on from each of them
  const safe = text.replace(/[^\r\n]+/g, (line) =>
    /^\s*[#!]/.test(line) ? line : line.replace(/(?<!\\)((?:\\\\)*)\\u(?![0-9a-fA-F]{4})/g, '$1\\\\u'),
  );
  return new PropertiesEditor(safe);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (one) => one.charCodeAt(0));
