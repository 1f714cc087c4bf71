import { describe, expect, it } from 'vitest';
import { allowedFlags, flagsOf, isAllowedFlag, type Startup, startCommand, whyNotStartup } from './rules.ts';

const server = { game_version: '1.21.4', ram_mb: 4_096, loader: 'paper' };
const defaults: Startup = { java: null, heap_mb: null, jvm_flags: [] };

describe('isAllowedFlag', () => {
  it('accepts every flag of its list, with a number where there is one', () => {
    for (const flag of allowedFlags) {
      const filled = flag.replace('<n>', '42');
      expect([filled, isAllowedFlag(filled)]).toEqual([filled, true]);
    }
    expect(isAllowedFlag('-Xss4M')).toBe(true);
    expect(isAllowedFlag('-XX:G1HeapRegionSize=8M')).toBe(true);
  });

  it.each([
    '-Xmx99G',
    '-javaagent:/data/evil.jar',
    '-XX:OnOutOfMemoryError=sh',
    '-XX:+UseG1GC;reboot',
    '-XX:MaxGCPauseMillis=200 -jar evil.jar',
    '-XX:MaxGCPauseMillis=$(id)',
    '-Dcom.sun.management.jmxremote.port=1',
    '-agentlib:jdwp=transport=dt_socket',
    '-XX:Flags=/etc/passwd',
    '@/data/arguments',
    'evil.jar',
    '',
  ])('refuses %s', (flag) => {
    expect(isAllowedFlag(flag)).toBe(false);
  });
});

describe('whyNotStartup', () => {
  it.each([
    [defaults, null],
    [{ ...defaults, java: 21 }, null],
    [{ ...defaults, java: 8 }, 'java_not_fitting'],
    [{ ...defaults, heap_mb: 3_686 }, null],
    [{ ...defaults, heap_mb: 3_687 }, 'heap_out_of_range'],
    [{ ...defaults, heap_mb: 511 }, 'heap_out_of_range'],
    [{ ...defaults, heap_mb: 1_000.5 }, 'heap_out_of_range'],
    [{ ...defaults, jvm_flags: ['-XX:+UseZGC'] }, null],
    [{ ...defaults, jvm_flags: ['-XX:+UseZGC', '-Xmx9G'] }, 'jvm_flag_not_allowed'],
    [{ ...defaults, jvm_flags: Array.from({ length: 31 }, () => '-XX:+UseZGC') }, 'jvm_flags_too_many'],
  ] as [Startup, string | null][])('%j: %s', (startup, code) => {
    expect(whyNotStartup(server, startup)?.code ?? null).toBe(code);
  });
});

it('shows the command line', () => {
  expect(startCommand(server, defaults)).toBe('java-21 -Xms3072M -Xmx3072M -jar paper-server.jar nogui');
  const chosen = { java: 25, heap_mb: 1_024, jvm_flags: flagsOf('  -XX:+UseZGC \n -Xss4M ') } as Startup;
  expect(startCommand({ ...server, loader: null }, chosen)).toBe(
    'java-25 -Xms1024M -Xmx1024M -XX:+UseZGC -Xss4M -jar server.jar nogui',
  );
});
