import { describe, expect, it } from 'vitest';
import { actorFor } from '../../testing/builders/build.ts';
import {
  canMove,
  displayState,
  type Lifecycle,
  lifecycles,
  type PowerAction,
  powers,
  setupStep,
  whyNotChange,
  whyNotCommand,
  whyNotCommandText,
  whyNotCreate,
  whyNotPower,
  whyNotResize,
  whyNotSee,
} from './rules.ts';

const owner = actorFor({ id: 'owner', username: 'owner' });
const facts = (lifecycle: Lifecycle = 'ready', power: (typeof powers)[number] | 'unknown' = 'running') => ({
  ...{ owner_id: 'owner', lifecycle, power },
});

describe('permissions on servers', () => {
  it('give strangers the same answer whether the server exists or not', () => {
    const stranger = actorFor(
      { id: 'stranger', username: 'stranger' },
      { scopes: new Set(['PROJECT_READ']) },
    );
    for (const rule of [whyNotSee, whyNotChange]) {
      expect(rule(stranger, facts())).toBe('server_not_found');
      expect(rule(stranger, null)).toBe('server_not_found');
      expect(rule(null, facts())).toBe('authentication_required');
      expect(rule(owner, facts())).toBe(null);
      expect(rule({ ...stranger, role: 'admin', scopes: 'all' }, facts())).toBe(null);
      expect(rule({ ...stranger, role: 'moderator', scopes: 'all' }, facts())).toBe('server_not_found');
    }
  });

  it('are narrowed by the scopes of a token', () => {
    const reads = { ...owner, scopes: new Set(['SERVER_READ'] as const) };
    const writes = { ...owner, scopes: new Set(['SERVER_WRITE'] as const) };
    expect([whyNotSee(reads, facts()), whyNotChange(reads, facts())]).toEqual([null, 'scope_missing']);
    expect([whyNotSee(writes, facts()), whyNotChange(writes, facts())]).toEqual(['scope_missing', null]);
    expect(whyNotCreate(reads)).toBe('scope_missing');
    expect(whyNotCreate({ ...owner, email_verified: false })).toBe('email_unverified');
    expect([whyNotCreate(null), whyNotCreate(owner)]).toEqual(['authentication_required', null]);
  });
});

describe('power actions', () => {
  const answers = (action: PowerAction) =>
    Object.fromEntries(lifecycles.map((lifecycle) => [lifecycle, whyNotPower(facts(lifecycle), action)]));
  const common = { suspended: 'server_suspended', deprovisioning: 'server_not_found' };
  const open = { unprovisioned: null, provisioning: null, installing: null, ready: null };

  it('are allowed where they make sense', () => {
    expect(answers('start')).toEqual({ ...open, ...common, upgrading: 'server_upgrading', broken: null });
    expect(answers('stop')).toEqual({
      ...open,
      ...common,
      upgrading: 'server_upgrading',
      broken: 'server_broken',
    });
    expect(answers('restart')).toEqual({
      ...{
        unprovisioned: 'server_not_ready',
        provisioning: 'server_not_ready',
        installing: 'server_not_ready',
      },
      ...{ ready: null, ...common, upgrading: 'server_upgrading', broken: 'server_broken' },
    });
    expect(answers('kill')).toEqual({ ...open, ...common, upgrading: null, broken: null });
    expect(whyNotPower(facts('ready', 'stopped'), 'kill')).toBe('server_not_running');
    expect(whyNotPower(facts('ready', 'unknown'), 'kill')).toBe(null);
  });

  it('show installing until a server is ready, then the observed state', () => {
    const displayed = (lifecycle: Lifecycle) => displayState(facts(lifecycle, 'stopped'));
    expect(['unprovisioned', 'provisioning', 'installing'].map((one) => displayed(one as Lifecycle))).toEqual(
      Array(3).fill('installing'),
    );
    expect(['ready', 'suspended', 'broken'].map((one) => displayed(one as Lifecycle))).toEqual(
      Array(3).fill('stopped'),
    );
  });
});

it('a resize needs an installed server that is not changing', () => {
  const answers = lifecycles.map((lifecycle) => [lifecycle, whyNotResize(facts(lifecycle))]);
  expect(Object.fromEntries(answers)).toEqual({
    ...{ unprovisioned: 'server_not_ready', provisioning: 'server_not_ready' },
    ...{ installing: 'server_not_ready', ready: null, suspended: 'server_suspended' },
    ...{ upgrading: 'server_upgrading', broken: 'server_broken', deprovisioning: 'server_not_found' },
  });
});

describe('the lifecycle', () => {
  it('follows the transition table, and ends in its final state', () => {
    const to = (from: Lifecycle) => lifecycles.filter((one) => canMove(from, one));
    expect(to('deprovisioning')).toEqual([]);
    expect(to('ready')).toEqual(['installing', 'suspended', 'upgrading', 'broken', 'deprovisioning']);
    expect(to('unprovisioned')).toEqual(['provisioning', 'suspended', 'broken', 'deprovisioning']);
    for (const from of lifecycles) {
      expect(canMove(from, from)).toBe(false);
      if (from !== 'deprovisioning') expect(canMove(from, 'deprovisioning')).toBe(true);
    }
  });
});

describe('a console command', () => {
  it('needs a running process', () => {
    const answers = [...powers, 'unknown' as const].map((power) => [
      power,
      whyNotCommand(facts('ready', power)),
    ]);
    expect(Object.fromEntries(answers)).toEqual({
      ...{ stopped: 'server_not_running', crashed: 'server_not_running', unknown: 'server_unreachable' },
      ...{ starting: null, running: null, stopping: null },
    });
    expect(whyNotCommand(facts('suspended'))).toBe('server_suspended');
  });

  it('is one line of at most 4096 bytes', () => {
    expect(['', ' ', '\t'].map(whyNotCommandText)).toEqual(Array(3).fill('command_empty'));
    expect(['a\nb', 'a\rb', 'a\0', 'a\x1b[0m', 'a\x7f', 'a\u0085', 'a\u2028'].map(whyNotCommandText)).toEqual(
      Array(7).fill('command_control_characters'),
    );
    expect([whyNotCommandText('x'.repeat(4_096)), whyNotCommandText('x'.repeat(4_097))]).toEqual([
      null,
      'command_too_long',
    ]);
    expect(whyNotCommandText('say grüße 🐝')).toBe(null);
  });
});

describe('the set-up of a server', () => {
  const at = (lifecycle: Lifecycle, given: Partial<Parameters<typeof setupStep>[0]> = {}) =>
    setupStep({ lifecycle, power_wanted: 'on', installed: false, ran: false, ...given });

  it('goes from its order to its first start', () => {
    const steps = (['unprovisioned', 'provisioning', 'installing', 'ready'] as const).map((one) => at(one));
    expect(steps).toEqual(['scheduling', 'scheduling', 'installing', 'starting']);
    expect([at('broken'), at('broken', { installed: true })]).toEqual(['installing', 'starting']);
  });

  it('is over when it ran once, or stays off', () => {
    for (const lifecycle of lifecycles) expect(at(lifecycle, { installed: true, ran: true })).toBeNull();
    expect(at('ready', { installed: true, power_wanted: 'off' })).toBeNull();
    for (const lifecycle of ['suspended', 'upgrading', 'deprovisioning'] as const)
      expect(at(lifecycle)).toBeNull();
  });
});
