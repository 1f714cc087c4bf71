import { describe, expect, it } from 'vitest';
import { ImageMissing } from '../images/ensure-image.ts';
import type { initialState } from '../plan/plan.ts';
import { DockerUnavailable } from './client.ts';
import { nextRetry, StepError, toStepError } from './step-error.ts';

const engineSaid = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });

describe('an error', () => {
  it.each([
    [
      engineSaid(500, 'driver failed: Bind for 0.0.0.0:25565 failed: port is already allocated'),
      'port_taken',
    ],
    [engineSaid(500, 'listen tcp4 0.0.0.0:25565: bind: address already in use'), 'port_taken'],
    [engineSaid(404, 'No such image: cairn-local:1'), 'image_missing'],
    [engineSaid(400, 'Minimum memory limit allowed is 6MB'), 'limit_refused'],
    [
      engineSaid(400, 'Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available'),
      'limit_refused',
    ],
    [engineSaid(500, 'write /var/lib/docker: no space left on device'), 'disk_full'],
    [
      engineSaid(409, 'Conflict. The container name "/cairn-x" is already in use by container "y"'),
      'name_taken',
    ],
    [engineSaid(500, 'something else'), 'docker_failed'],
    [Object.assign(new Error('full'), { code: 'ENOSPC' }), 'disk_full'],
    [new ImageMissing('The image x is not available: no such host'), 'image_missing'],
    [new StepError('kind_unknown', 'bedrock'), 'kind_unknown'],
  ])('%s means %s', (error, code) => {
    expect(toStepError(error)?.code).toBe(code);
  });

  it.each([
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    [Object.assign(new Error('connect ENOENT /var/run/docker.sock'), { code: 'ENOENT' })],
    [new DockerUnavailable('Docker took too long')],
    [
      new ImageMissing('The image x is not available', {
        cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }),
      }),
    ],
  ])('%s of an engine that is away means nothing for a server', (error) => {
    expect(toStepError(error)).toBeNull();
  });
});

describe('a step that could not be done', () => {
  const at = { generation: 3, now: 1_000 };
  const fail = (broken: typeof initialState.broken, error: StepError, when = at) =>
    nextRetry({ broken }, error, when);

  it('is reported once and tried again with growing pauses', () => {
    const first = fail(null, new StepError('port_taken', 'in use'));
    expect(first).toMatchObject({
      step: 'port_taken',
      error: 'in use',
      tries: 1,
      next: 11_000,
      report: true,
    });
    const second = fail(first, new StepError('port_taken'));
    expect(second).toMatchObject({ tries: 2, next: 31_000, report: false });
    const sixth = [1, 2, 3, 4].reduce((before) => fail(before, new StepError('port_taken')), second);
    expect(sixth).toMatchObject({ tries: 6, next: 301_000, report: false });
  });

  it('is reported again for another reason and for another specification', () => {
    const first = fail(null, new StepError('port_taken'));
    expect(fail(first, new StepError('disk_full'))).toMatchObject({ tries: 2, report: true });
    expect(fail(first, new StepError('port_taken'), { ...at, generation: 4 })).toMatchObject({
      tries: 1,
      report: true,
    });
  });

  it('of Docker itself is reported when it repeats', () => {
    const first = fail(null, new StepError('docker_failed'));
    expect(first.report).toBe(false);
    const second = fail(first, new StepError('docker_failed'));
    expect(second.report).toBe(true);
    expect(fail(second, new StepError('docker_failed')).report).toBe(false);
  });
});
