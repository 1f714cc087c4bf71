import { expect, test } from 'vitest';
import { z } from 'zod';
import { languageRows, messages } from '#content/messages.ts';
import { Refused } from '#db/platform/errors.ts';
import { boundedText, nonBlankText } from '#db/platform/shape.ts';
import { defineForm, errorOfCode, errorsOfRefusal, errorsOfShape } from './form-definition.ts';

const form = defineForm({
  action: '/_internal/sample',
  shape: z.object({
    name: z.string().min(1).max(5),
    url: z.string().refine((text) => text.startsWith('https:')),
    count: z.coerce.number(),
    op_id: z.uuid(),
  }),
  fields: ['name', 'url', 'count', 'email'],
  aliases: { targets: 'url' },
  invalid: { url: 'form.invalid_url' },
  errors: { username_taken: 'name', email_taken: 'email', rate_limited: { text: 'account.too_many' } },
});
const { t } = messages('en-US');
const shapeErrors = (given: unknown) => errorsOfShape(form, form.shape.safeParse(given).error!, t);

test('what the shape does not take is said at its field, in the order of the page', () => {
  const op_id = '5f0c2b6e-7c0e-4a5e-9a39-3a2f5b1f6f10';
  expect(shapeErrors({ count: 'x', url: 'http:', name: '', op_id })).toEqual([
    { field: 'name', text: 'This field is required.' },
    { field: 'url', text: 'Enter a full URL that starts with https://.' },
    { field: 'count', text: 'This field is required.' },
  ]);
  expect(shapeErrors({ count: 1, url: 'https:', name: 'too long', op_id })).toEqual([
    { field: 'name', text: 'Use at most 5 characters.' },
  ]);
});

test('a text whose length has bounds says both, in characters', () => {
  const name = z
    .string()
    .transform((text) => text.trim())
    .pipe(boundedText(3, 255));
  const named = defineForm({
    ...form,
    shape: z.object({ name, note: boundedText(1, 5) }),
    fields: ['name', 'note'],
  });
  const said = errorsOfShape(named, named.shape.safeParse({ name: 'CI', note: 'longer' }).error!, t);
  expect(said).toEqual([
    { field: 'name', text: 'Use 3 to 255 characters.' },
    { field: 'note', text: 'Use at most 5 characters.' },
  ]);
});

test('an empty text is asked for, whatever its bounds are', () => {
  const named = defineForm({
    ...form,
    shape: z.object({ name: boundedText(3, 255), note: nonBlankText(1, 5) }),
    fields: ['name', 'note'],
  });
  const said = errorsOfShape(named, named.shape.safeParse({ name: '', note: ' ' }).error!, t);
  expect(said.map(({ text }) => text)).toEqual(['This field is required.', 'This field is required.']);
});

test('what is wrong with something that nobody fills in is said of the form as a whole', () => {
  expect(shapeErrors({ count: 1, url: 'https:', name: 'a', op_id: 'x' })).toEqual([
    { field: null, text: 'Check this field.' },
  ]);
});

test('a refusal is said at the field of its code, of its data or of their alias', () => {
  const of = (refused: Refused) => errorsOfRefusal(form, refused, t).map(({ field }) => field);
  expect(of(new Refused('username_taken'))).toEqual(['name']);
  expect(of(new Refused('invalid_input', { problem: 'x', field: 'targets' }))).toEqual(['url']);
  expect(of(new Refused('invalid_input', { problem: 'x', field: 'elsewhere' }))).toEqual([null]);
  expect(of(new Refused('not_yours'))).toEqual([null]);
  expect(of(new Refused('email_taken', { reasons: ['email_taken', 'not_yours', 'username_taken'] }))).toEqual(
    [null, 'name', 'email'],
  );
});

test('a refusal is said in words of the language, those of the form before those of the code', () => {
  const limited = new Refused('rate_limited', { retry_after_ms: 5 });
  for (const { tag } of languageRows) {
    const { t } = messages(tag);
    expect(errorsOfRefusal(form, limited, t)).toEqual([{ field: null, text: t('account.too_many') }]);
  }
});

test.each(['no_such_code', 'constructor', '__proto__', 'limit_reached', '\0', ''])(
  'the code %j of an address says that it did not work',
  (code) => {
    expect(errorOfCode(form, code, t)).toEqual({ field: null, text: t('form.failed') });
  },
);
