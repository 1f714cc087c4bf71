import { expect, it } from 'vitest';
import { planRefusal } from './planned.ts';

it.each([
  ['server_version_unknown', 400, { fits: false, can_retry: false }],
  ['server_loader_unknown', 400, { fits: false, can_retry: false }],
  ['nothing_compatible', 400, { fits: false, can_retry: false }],
  ['pack_not_modpack', 400, { fits: true, can_retry: false }],
  ['not_found', 404, { fits: true, can_retry: false }],
  ['server_unreachable', 503, { fits: true, can_retry: true }],
  ['rate_limited', 429, { fits: true, can_retry: true }],
  ['offline', 0, { fits: true, can_retry: true }],
])('%s is named as what it is, and tried again only if that may help', (code, status, expected) => {
  expect(planRefusal({ code, status, description: 'Why', details: {} }, 'Why')).toEqual({
    ...expected,
    text: 'Why',
  });
});
