/** The bytes of a text file and what an editor shows of them. Pure. */

export interface DecodedText {
  /** Lines end with `\n` alone. */
  text: string;
  /** How the file is written, so that saving changes nothing else. */
  form: TextForm;
}
export interface TextForm {
  has_mark: boolean;
  line_end: '\n' | '\r\n';
}
export const plainForm: TextForm = { has_mark: false, line_end: '\n' };

const mark = [0xef, 0xbb, 0xbf];

/** The text of a file; null when it is no text in UTF-8. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  if (bytes.includes(0)) return null;
  const has_mark = mark.every((byte, i) => bytes[i] === byte);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const pairs = text.split('\r\n').length - 1;
    const lines = text.split('\n').length - 1;
    return {
      text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
      form: { has_mark, line_end: pairs > lines / 2 ? '\r\n' : '\n' },
    };
  } catch {
    return null;
  }
}

export function encodeText(text: string, { has_mark, line_end }: TextForm): Uint8Array<ArrayBuffer> {
  const written = line_end === '\n' ? text : text.replaceAll('\n', line_end);
  const bytes = new TextEncoder().encode(written);
  return has_mark ? new Uint8Array([...mark, ...bytes]) : bytes;
}
