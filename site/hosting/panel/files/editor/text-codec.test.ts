import { expect, it } from 'vitest';
import { decodeText, encodeText, plainForm } from './text-codec.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it.each(['', 'a\nb\n', 'a\r\nb\r\n', '\uFEFFa: ü\n', '\uFEFFa\r\nb', 'one line'])(
  'gives %j back as it was',
  (text) => {
    const decoded = decodeText(bytes(text))!;
    expect(decoded.text).not.toMatch(/\r|\uFEFF/);
    expect([...encodeText(decoded.text, decoded.form)]).toEqual([...bytes(text)]);
  },
);

it('writes lines as most of the file has them', () => {
  expect(decodeText(bytes('a\r\nb\r\nc\n'))!.form.line_end).toBe('\r\n');
  expect(decodeText(bytes('a\nb\nc\r\n'))!.form.line_end).toBe('\n');
});

it('takes no bytes for text that are none', () => {
  expect(decodeText(new Uint8Array([0x61, 0, 0x62]))).toBe(null);
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0x61]))).toBe(null);
  expect(decodeText(new Uint8Array([]))).toEqual({ text: '', form: plainForm });
});
