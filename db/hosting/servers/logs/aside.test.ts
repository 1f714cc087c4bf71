import { expect, test } from 'vitest';
import { ratePassword } from '../../../platform/people/password.ts';
import { onBehalfOf } from '../../../platform/runtime/requester.ts';
import { sharedTextAside } from './aside.ts';

const hostile = '-eyJ'.repeat(256 * 1024);

test('work over what somebody sent leaves the thread of everybody free', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  const [shared, rating] = await Promise.all([
    sharedTextAside({ name: 'logs/evil.log', text: hostile, secrets: [] }),
    ratePassword('Copper lanterns hum softly', ['x'.repeat(1024)]),
  ]);
  clearInterval(timer);
  expect(shared).toMatchObject({ name: 'logs/evil.log', findings: [] });
  expect(shared.text.length).toBeLessThanOrEqual(1024 * 1024);
  expect(rating.refusal).toBeNull();
  expect(turns).toBeGreaterThan(1);
});

test('one who asks for everything gets some of it, and others get theirs', async () => {
  const asked = (user_id: string) =>
    onBehalfOf({ network: '192.0.2.7', user_id }, () =>
      ratePassword(`Copper lanterns ${user_id}`).then(
        () => 'done',
        ({ code }: { code: string }) => code,
      ),
    );
  const flood = Array.from({ length: 60 }, () => asked('flood'));
  expect(await asked('one')).toBe('done');
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((one) => one === 'busy').length).toBeGreaterThan(40);
  expect(outcomes).toContain('done');
});
