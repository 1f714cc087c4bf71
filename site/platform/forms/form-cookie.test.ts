import { parseSetCookie } from 'cookie';
import { expect, test } from 'vitest';
import { formCookie, type SubmittedForm, submittedForm } from './form-cookie.ts';

const site = 'http://127.0.0.1:4321';
const form: SubmittedForm = {
  action: '/_internal/notices',
  errors: [{ field: 'url', text: 'اكتب عنوانًا كاملًا' }],
  values: { title: 'Maintenance; tonight=no', message: 'Zeile 1\nZeile 2', begins: '' },
};
const request = (cookie: string) => new Request(site, { headers: { cookie } });
const sentBack = (text: string) => request(text.split(';')[0]!);

test('what was typed and what was wrong come back as they were', () => {
  expect(submittedForm(sentBack(formCookie(form, site)), site)).toEqual(form);
});

test('no script reads it, and on https no other host can set it', () => {
  expect(parseSetCookie(formCookie(form, site))).toMatchObject({
    name: 'form',
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: 300,
  });
  const secure = formCookie(form, 'https://mods.example.org');
  expect(parseSetCookie(secure)).toMatchObject({ name: '__Host-form', secure: true, path: '/' });
  expect(submittedForm(sentBack(secure), site)).toBeNull();
});

test('the longest values are left out while a browser would not keep it', () => {
  const noise = Array.from({ length: 4000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20000)));
  const text = formCookie({ ...form, values: { ...form.values, message: noise.join('') } }, site);
  expect(text.length).toBeLessThan(4096);
  const { message: _, ...rest } = form.values;
  expect(submittedForm(sentBack(text), site)).toEqual({ ...form, values: rest });
});

test.each([
  ['nothing', ''],
  ['no archive', 'form=abc'],
  ['not our shape', `form=${formCookie({ ...form, errors: 'x' as never }, site).split(/[=;]/)[1]}`],
])('%s counts as a form that was never sent', (_name, cookie) => {
  expect(submittedForm(request(cookie), site)).toBeNull();
});
