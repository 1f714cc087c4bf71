import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../platform/people/rules.ts';
import { type ServerFacts, whyNotChange, whyNotHave, whyNotSee } from '../rules.ts';
import { roleRights, type ServerRight, serverRights } from './rules.ts';

const person = (user_id: string): Actor =>
  ({ user_id, role: 'developer', scopes: 'all', email_verified: true }) as Actor;
const server = (rights: readonly ServerRight[]): ServerFacts => ({
  owner_id: 'owner',
  lifecycle: 'ready',
  power: 'running',
  members: [{ user_id: 'member', rights }],
});

describe('whyNotHave', () => {
  it('gives the owner every right', () => {
    for (const right of serverRights) expect(whyNotHave[right](person('owner'), server([]))).toBeNull();
  });

  it.each(serverRights)('gives a member the right %s only with it', (right) => {
    const others = serverRights.filter((other) => other !== right);
    expect(whyNotHave[right](person('member'), server([right]))).toBeNull();
    expect(whyNotHave[right](person('member'), server(others))).toBe('server_right_missing');
  });

  it('hides the server from everybody else', () => {
    expect(whyNotSee(person('stranger'), server([]))).toBe('server_not_found');
    expect(whyNotHave.files(person('stranger'), server(['files']))).toBe('server_not_found');
    expect(whyNotSee(person('member'), server(roleRights.viewer))).toBeNull();
  });

  it('keeps what only owners do from members', () => {
    expect(whyNotChange(person('member'), server(serverRights))).toBe('server_right_missing');
  });
});
