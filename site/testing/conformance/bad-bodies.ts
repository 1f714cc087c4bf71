/** Request bodies that no operation accepts, whatever it parses: each is refused and changes nothing. */
export interface Wrong {
  name: string;
  body: BodyInit;
  type: string;
}

const json = (name: string, body: BodyInit): Wrong => ({ name, body, type: 'application/json' });
const form = (name: string, ...parts: string[]): Wrong => ({
  name,
  body: parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join(''),
  type: 'multipart/form-data; boundary=b',
});
const deep = 10_000;

export const wrongJson: readonly Wrong[] = [
  json('10,000 levels of arrays', `${'['.repeat(deep)}${']'.repeat(deep)}`),
  json('an endless level', '['.repeat(deep)),
  json('a text', '"x"'),
  json('a number', '1e999'),
  json('null', 'null'),
  json('a truncated object', '{"name":"x'),
  json('two objects', '{}{}'),
  json('no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  json('UTF-16', new Uint8Array(Buffer.from('\ufeff{"name":"x"}', 'utf16le'))),
  json('nothing', ''),
];

/** Fields that nobody knows are ignored, however deep they are. */
export const unknownField: Wrong = json(
  '10,000 levels of objects',
  `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
);

const data = 'name="data"\r\n\r\n{}';
const file = 'name="file"; filename="a.jar"\r\n\r\nx';
export const wrongForms: readonly Wrong[] = [
  form('no end', data, file),
  form('two data parts', data, data, `${file}\r\n--b--`),
  form('two files in one part', data, file, `${file}\r\n--b--`),
  form('no data part', `${file}\r\n--b--`),
  form('a data part that is no JSON', `name="data"\r\n\r\n{\r\n--b--`),
  form('a deep data part', `name="data"\r\n\r\n${'['.repeat(deep)}\r\n--b--`),
  form('a file name with a path', data, `name="file"; filename="../a.jar"\r\n\r\nx\r\n--b--`),
  { name: 'no boundary', body: 'x', type: 'multipart/form-data' },
  json('JSON instead of a form', '{}'),
];

export const wrongPictures: readonly Wrong[] = [
  { name: 'no picture', body: 'not a picture', type: 'image/png' },
  { name: 'an SVG', body: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' },
  { name: 'a truncated PNG', body: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]), type: 'image/png' },
  { name: 'nothing', body: '', type: 'image/png' },
];

/** Values that no text field stores as they are: refused, or stored without them; never an internal error. */
export const oddTexts: readonly string[] = ['a\u0000b', '\ud800', '\u202e', 'x'.repeat(70_000)];
/** Values of other types than any one field has; some fields accept some of them. */
export const oddValues: readonly unknown[] = [1e300, -1, true, {}, [null], [[]], Array(5000).fill('x'), null];
/** Parts of a path that name nothing. */
export const oddIds: readonly string[] = [
  'zzzzzzzz',
  '%00',
  '%ff',
  '%ED%A0%80',
  '..%2f',
  "'",
  'a'.repeat(3000),
  '-1',
];
