import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { displayPath, errorTextOf, missingKindAt } from './error-page.ts';

test('missing resources have specific texts', () => {
  const titles = {
    mod: 'project',
    datapack: 'project',
    resourcepack: 'project',
    plugin: 'project',
    shader: 'project',
    modpack: 'project',
    project: 'project',
    user: 'user',
    organization: 'organization',
    collection: 'collection',
  };
  for (const [prefix, what] of Object.entries(titles)) {
    expect(missingKindAt(`/${prefix}/x`)?.title).toBe(`problem.${what}_title`);
    expect(missingKindAt(`/${prefix}/x/versions`)?.title).toBe(`problem.${what}_title`);
  }
});

test('all others have the general text', () => {
  for (const path of ['/', '/mod', '/mod/', '/mods/x', '/constructor/x', '/__proto__/x', '']) {
    expect(missingKindAt(path)).toBeNull();
  }
});

const { t } = messages('en-US');
const labels = (status: number, path: string) => {
  const { title, leads, reasons, can_retry, message } = errorTextOf(status, path);
  return {
    title: t(title),
    leads: leads.map((key) => t(key)),
    reasons: reasons.length,
    again: can_retry,
    message: message && t(message),
  };
};

test('an unknown page has the general text', () => {
  const leads = ['The page you were looking for doesn’t seem to exist.'];
  const message = 'The page could not be found';
  expect(labels(404, '/no/such')).toEqual({
    title: 'Page not found',
    leads,
    reasons: 0,
    again: false,
    message,
  });
});

test('a missing user, project, organization or collection lists possible reasons', () => {
  expect(labels(404, '/user/x')).toMatchObject({ title: 'User not found', reasons: 3, again: false });
  expect(labels(404, '/organization/x')).toMatchObject({ title: 'Organization not found', reasons: 3 });
  expect(labels(404, '/collection/x')).toMatchObject({ title: 'Collection not found', reasons: 3 });
  expect(labels(404, '/modpack/x')).toMatchObject({ title: 'Project not found', reasons: 3 });
});

test('unavailable for legal reasons differs from missing', () => {
  expect(labels(451, '/mod/x')).toMatchObject({ title: 'Not available for legal reasons', again: false });
});

test('a forbidden page leaves the first line to its reason and suggests no second try', () => {
  expect(labels(403, '/mod/x')).toEqual({
    ...{ title: 'You can’t open this page', leads: [], reasons: 0 },
    ...{ again: false, message: null },
  });
});

test('every other error suggests trying again', () => {
  for (const status of [400, 429, 500, 503]) {
    const { title, leads, again, message } = labels(status, '/mod/x');
    expect(title).toBe('Uh oh!');
    expect(leads).toEqual(['Something went wrong.', 'Please try again in a few minutes.']);
    expect([again, message]).toEqual([true, 'This one’s on us. We’ve logged it.']);
  }
});

test('an unknown address is displayed, an unknown project type differs', () => {
  const path = displayPath('/kein/%C3%BCber');
  expect(t('error.page_unknown', { path })).toBe('Page not found: /kein/über');
  expect(t('error.page_refused', { path })).toBe('Page Not Found: /kein/über');
});

test('a path is decoded for display, an invalid one stays encoded, a long one is truncated', () => {
  expect(displayPath('/%E0%A4%A')).toBe('/%E0%A4%A');
  expect(displayPath('/a%2Fb')).toBe('/a%2Fb');
  expect([...displayPath(`/${'😀'.repeat(300)}`)]).toHaveLength(201);
  expect(displayPath(`/${'a'.repeat(199)}`)).toBe(`/${'a'.repeat(199)}`);
});
