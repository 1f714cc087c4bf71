import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type RefusalCode, refusals } from '#db/platform/errors.ts';
import { refusalStep, refusalSteps } from './refusal-steps.ts';

/** Refusals whose code says that something is off or missing and which nobody can change but by what they are doing. */
const elsewhere: Partial<Record<RefusalCode, string>> = {
  friend_requests_off: 'the other user decides',
};
const resolvable =
  /(^|_)(unverified|unverified_no_mail)$|^proof_required$|^scope_missing$|^authentication_required$|_off$|^no_email$/;

test('every refusal that a person can resolve elsewhere has its next step', () => {
  const codes = Object.keys(refusals).filter(
    (code) => resolvable.test(code) && !Object.hasOwn(elsewhere, code),
  );
  expect(codes.length).toBeGreaterThan(9);
  expect(codes.filter((code) => !refusalStep(code, 'en-US', { server_id: 'abcd1234' }))).toEqual([]);
});

test.each(Object.entries(refusalSteps))('the step of %s leads to a page', (_code, { to }) => {
  const [path] = to.split(/[?#]/);
  const page = path!.replace('{server_id}', '[id]').slice(1);
  const places = ['', 'static/[...locale]/'].flatMap((place) => [
    `site/pages/${place}${page}.astro`,
    `site/pages/${place}${page}/index.astro`,
  ]);
  const isLegal = existsSync(`content/${page.replace('legal/', 'legal/en-US/')}.md`);
  expect([to, isLegal || places.some((file) => existsSync(file))]).toEqual([to, true]);
});

test('a step is a sentence in the language of the page, and names the server of its refusal', () => {
  expect(refusalStep('email_unverified', 'en-US')).toEqual({
    text: 'Verify address',
    to: '/auth/verify-email?redirect=',
  });
  expect(refusalStep('email_unverified', 'de-DE')?.text).toBe('Adresse bestätigen');
  expect(refusalStep('sftp_off', 'en-US', { server_id: 'a/b' })?.to).toBe('/servers/manage/a%2Fb/files');
  expect(refusalStep('sftp_off', 'en-US')).toBeNull();
  expect(refusalStep('not_found', 'en-US')).toBeNull();
  expect(refusalStep('constructor', 'en-US')).toBeNull();
});
