import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send, unfold } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

/** A report from the menu of a project to the answer of its thread, for its reporter and at the desk of moderators. */
const database = testDatabase();
// the style sheet of ads is none of the build
const site = testSite(database, { ADS: 'off' });

test('a report is sent once, answered, closed and opened again; notes stay among moderators', async () => {
  const project = await build.project(database.sql, { project_types: ['mod'], title: 'Sunken stones' });
  await build.version(database.sql, project);
  const reporter = await site.as((await build.user(database.sql)).username);
  const desk = await site.as((await build.user(database.sql, { role: 'moderator' })).username);

  expect((await reporter.open('/dashboard/reports')).text()).toContain('No reports yet');
  let page = await reporter.open(`/report?item=${project.slug}`);
  page.one('link', { name: 'Sunken stones' });
  page = await send(page, 'Send report', { 'What happened': 'It **opens** a connection.' });
  expect(page.text(page.document.querySelector('[data-wrong=report_type]')!)).not.toBe('');
  page = await page.submit(page.one('button', { name: 'Send report' }), {
    report_type: 'malicious',
  });
  expect(page.text(page.main)).toContain('Report sent');
  page.one('heading', { name: 'Report: Sunken stones', level: 1 });
  expect(page.withText('Pending')).toHaveLength(1);
  expect(page.document.querySelector('.report-facts strong')?.textContent).toBe('opens');
  const theirs = page.url.split('?')[0]!;
  const id = theirs.split('/').at(-1)!;

  page = await reporter.open(`/report?item=${project.slug}`);
  expect(page.text(page.main)).toContain('You already reported this.');
  page = await page.follow(page.one('link', { name: 'Open your report' }));
  expect(page.url).toBe(theirs);
  page = await reporter.open('/dashboard/reports');
  expect((await page.follow(page.one('link', { name: 'Sunken stones' }))).url).toBe(theirs);
  expect((await reporter.open(`/moderation/reports/${id}`)).status).toBe(404);

  page = await desk.open(`/moderation/reports?view=unread&q=${project.slug}`);
  expect(page.withText('1 report')).toHaveLength(1);
  page = await page.follow(page.one('link', { name: 'Sunken stones' }));
  page.one('heading', { name: 'Report: Sunken stones', level: 1 });
  page = await send(page, 'Send message', {
    'Your message': 'Third one of this account.',
    'Private note: only moderators see it': true,
  });
  expect(page.text(page.document.querySelector('.message.private')!)).toContain('Third one');
  unfold(page, 'Insert a reply');
  page = await page.follow(page.one('link', { name: 'Author alerted' }));
  page = await send(page, 'Send and close report');
  expect(page.text(page.main)).toContain('closed this thread.');
  page = await desk.open(`/moderation/reports?q=${id}`);
  page.one('link', { name: 'Sunken stones' });

  page = await reporter.open(theirs);
  expect(page.text(page.main)).toContain('This report is closed. You can’t send more messages.');
  const messages = page.text(page.document.querySelector('.messages')!);
  expect(messages).toContain('Thank you for telling us.');
  expect(messages).toContain('Moderators');
  expect(messages).not.toContain('Third one');

  page = await desk.open(`/moderation/reports/${id}`);
  const decision = () => page.text(page.one('region', { name: 'Decision' }));
  expect(decision()).toContain('This report is closed.');
  expect(decision()).not.toContain('Close');
  page = await send(page, 'Change decision', { Outcome: 'withheld' });
  expect(page.one('button', { name: 'Reopen report' })).toBeTruthy();
  page = await send(page, 'Reopen report');
  expect(decision()).toContain('Closes the report with this outcome');
  expect(page.text(page.main)).toContain('reopened this thread.');
  (await reporter.open(theirs)).one('textbox', { name: /^Your message/ });
});
