import { afterEach, expect, test, vi } from 'vitest';
import {
  allowedPurposes,
  chooseConsent,
  consentCookie,
  hasChosen,
  hasConsent,
  objects,
  optionalPurposes,
  parseConsent,
} from './consent.ts';

afterEach(() => vi.unstubAllGlobals());

test('nothing is allowed before a choice, and only what was chosen after it', () => {
  expect(allowedPurposes('', {})).toEqual([]);
  expect(allowedPurposes('locale=de-DE; consent=none', {})).toEqual([]);
  expect(allowedPurposes('consent=analytics', {})).toEqual(['analytics']);
  expect(parseConsent(null)).toBeNull();
  expect(parseConsent('')).toBeNull();
  expect(parseConsent('none')).toEqual([]);
  expect(parseConsent('advertising+analytics')).toEqual(['analytics']);
  expect(parseConsent('analytics2')).toEqual([]);
});

test('a browser that objects allows nothing, whatever was chosen', () => {
  const chosen = `consent=${optionalPurposes.join('%2B')}`;
  expect(allowedPurposes(chosen, {})).toEqual(optionalPurposes);
  expect(allowedPurposes(chosen, { globalPrivacyControl: true })).toEqual([]);
  expect(allowedPurposes(chosen, { doNotTrack: '1' })).toEqual([]);
  expect(allowedPurposes(chosen, { globalPrivacyControl: false, doNotTrack: '0' })).toEqual(optionalPurposes);
  expect(objects({ doNotTrack: null })).toBe(false);
});

test('a choice is a cookie of a year that says only what is allowed', () => {
  expect(consentCookie([])).toBe('consent=none; path=/; max-age=31536000; samesite=lax');
  expect(consentCookie(['analytics'])).toBe('consent=analytics; path=/; max-age=31536000; samesite=lax');
});

test('scripts ask, and get the choice at once', () => {
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('navigator', {});
  expect([hasChosen(), hasConsent('analytics')]).toEqual([false, false]);
  chooseConsent(['analytics']);
  expect([hasChosen(), hasConsent('analytics')]).toEqual([true, true]);
  chooseConsent([]);
  expect([hasChosen(), hasConsent('analytics')]).toEqual([true, false]);
});
