import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DockerConnection } from '../docker/client.ts';
import type { ImageSource } from '../plan/kinds.ts';
import { imagePins } from './pins.ts';
import { imageResolver } from './resolver.ts';

const name = 'docker.io/itzg/minecraft-server:java21';
const [first, moved] = ['a', 'b'].map((digit) => `itzg/minecraft-server@sha256:${digit.repeat(64)}`);

let data: string;
/** The digest under the tag in the registry, and the images that were pulled. */
let tag: string | null;
let pulled: string[];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'cairn-pins-'));
  [tag, pulled] = [first!, []];
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** A Docker without any image and a registry. */
function resolver() {
  const inspect = async () => ({ RepoDigests: tag ? [tag] : [] });
  const docker = { getImage: () => ({ inspect }) };
  const ensureImage = async (_: unknown, wanted: ImageSource) => {
    const pull = 'pull' in wanted ? wanted.pull : '';
    pulled.push(pull);
    return pull;
  };
  const connection = { api: docker, streams: docker } as unknown as DockerConnection;
  return imageResolver(connection, { ensureImage, pins: imagePins(data), say: () => {} });
}

it('an image of a registry is pinned by the digest it had when it was pulled first', async () => {
  expect(await resolver().resolve({ pull: name })).toBe(first);
  expect(JSON.parse(readFileSync(join(data, 'images.json'), 'utf8'))).toEqual({ [name]: first });
  tag = moved!;
  // another agent process, which has lost the image
  expect(await resolver().resolve({ pull: name })).toBe(first);
  expect(pulled).toEqual([name, first]);
});

it('an operator may pin a digest in advance', async () => {
  writeFileSync(join(data, 'images.json'), JSON.stringify({ [name]: moved }));
  expect(await resolver().resolve({ pull: name })).toBe(moved);
  expect(pulled).toEqual([moved]);
});

it('an image that no registry gave a digest stays under its name', async () => {
  tag = null;
  expect(await resolver().resolve({ pull: name })).toBe(name);
  expect(imagePins(data).digestOf(name)).toBeNull();
});
