import { afterEach, describe, expect, it } from 'vitest';
import { dockerAnswers, ensureDocker } from './docker.ts';
import { UserError } from './user-error.ts';

const before = process.env.DOCKER_HOST;
afterEach(() => {
  if (before === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = before;
});

describe('tests that need a Docker engine', () => {
  it('fail with one message when the configured engine does not answer, and install nothing', async () => {
    process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock';
    expect(await dockerAnswers()).toBe(false);
    const said: string[] = [];
    const refusal = await ensureDocker((line) => said.push(line)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UserError);
    expect((refusal as UserError).message).toBe(
      'No Docker engine answers at DOCKER_HOST=unix:///nowhere/docker.sock.',
    );
    expect(said).toEqual([]);
  });
});
