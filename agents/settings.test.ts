import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentSettings } from './settings.ts';

describe('the settings of an agent', () => {
  it('comes from options, else from the environment, else is the local default', () => {
    expect(agentSettings({}, {})).toEqual({
      urls: ['http://127.0.0.1:4321'],
      join: null,
      s3: null,
      transfer: null,
      data: resolve('.data/agent'),
      disk: 'auto',
      allow_private: false,
      log_level: 'info',
    });
    const env = {
      CAIRN_AGENT_URL: 'unix:/run/cairn.sock',
      CAIRN_AGENT_JOIN: 'one',
      CAIRN_AGENT_DATA: '/srv/a',
      CAIRN_AGENT_DISK: 'measured',
    };
    expect(agentSettings({}, env)).toMatchObject({
      urls: ['unix:/run/cairn.sock'],
      join: 'one',
      data: '/srv/a',
      disk: 'measured',
    });
    expect(agentSettings({ url: 'https://cairn.example/', join: 'two' }, env)).toMatchObject({
      urls: ['https://cairn.example'],
      join: 'two',
      data: '/srv/a',
    });
  });

  it('may be several addresses, each of which is checked', () => {
    const { urls } = agentSettings(
      { url: 'https://a.example/, unix:/run/b.sock,,http://127.0.0.1:4322' },
      {},
    );
    expect(urls).toEqual(['https://a.example', 'unix:/run/b.sock', 'http://127.0.0.1:4322']);
    for (const url of ['https://a.example,b.example', ' , ', 'http://a b', Array(21).fill('unix:/x').join()])
      expect(() => agentSettings({ url }, {})).toThrow(/--url \(CAIRN_AGENT_URL\) must be an http/);
    expect(() => agentSettings({ url: 'https://a.example,http://b.example' }, {})).toThrow(
      /^http:\/\/b.example would carry/,
    );
  });

  it('is refused in words when it cannot be used', () => {
    expect(() => agentSettings({ url: 'cairn.example' }, {})).toThrow(
      /--url \(CAIRN_AGENT_URL\) must be an http/,
    );
    expect(() => agentSettings({ url: 'ftp://x' }, { LOG_LEVEL: 'loud', CAIRN_AGENT_DISK: 'hard' })).toThrow(
      /--url.*\nCAIRN_AGENT_DISK must be auto or measured\.\nLOG_LEVEL must be/,
    );
  });

  it.each([
    ['http://cairn.example', true],
    ['http://192.168.1.5:4321', true],
    ['http://127.0.0.1.example.org', true],
    ['http://127.0.0.1:4321', false],
    ['http://[::1]:4321', false],
    ['http://localhost:4321', false],
    ['https://cairn.example', false],
    ['unix:/run/cairn.sock', false],
  ])('of %s is refused for its missing encryption: %s, unless the operator allows it', (url, refused) => {
    const read = () => agentSettings({ url }, {});
    if (refused) expect(read).toThrow(/without encryption.*CAIRN_AGENT_ALLOW_PLAIN=1/);
    else expect(read().urls).toEqual([url]);
    expect(agentSettings({ url }, { CAIRN_AGENT_ALLOW_PLAIN: '1' }).urls).toEqual([url]);
  });
});

describe('the store for backups', () => {
  const S3 = {
    CAIRN_AGENT_S3_URL: 'https://store.example:9000/games/backups/one/',
    CAIRN_AGENT_S3_KEY: 'key',
    CAIRN_AGENT_S3_SECRET: 'secret',
  };
  it('is an address with a bucket and perhaps a prefix, and credentials', () => {
    expect(agentSettings({}, S3).s3).toMatchObject({
      endpoint: 'https://store.example:9000',
      region: 'us-east-1',
      bucket: 'games',
      prefix: 'backups/one',
      access_key: 'key',
      secret_key: 'secret',
    });
  });
  it.each([
    { ...S3, CAIRN_AGENT_S3_KEY: '' },
    { ...S3, CAIRN_AGENT_S3_URL: 'https://store.example' },
    { ...S3, CAIRN_AGENT_S3_URL: 'ftp://store.example/games' },
    { ...S3, CAIRN_AGENT_S3_URL: 'games' },
  ])('is refused when a part of it is missing', (env) => {
    expect(() => agentSettings({}, env)).toThrow('CAIRN_AGENT_S3_URL must be');
  });
});

describe('the port for files', () => {
  const port = { CAIRN_AGENT_TRANSFER_PORT: '8800' };
  const of = (env: object) => agentSettings({}, env as Record<string, string>).transfer;

  it('is off unless it is named, with the origin that browsers use', () => {
    expect(of({})).toBeNull();
    expect(of({ ...port, CAIRN_AGENT_TRANSFER_URL: 'https://node1.example.org/' })).toEqual({
      host: '127.0.0.1',
      port: 8800,
      url: 'https://node1.example.org',
    });
    const open = { CAIRN_AGENT_TRANSFER_HOST: '0.0.0.0', CAIRN_AGENT_TRANSFER_URL: 'http://[::1]:8800' };
    expect(of({ ...port, ...open })).toMatchObject({ host: '0.0.0.0', url: 'http://[::1]:8800' });
  });

  it.each([
    '',
    'node1.example.org',
    'https://node1.example.org/files',
    'https://user@node1.example.org',
    "https://node1.example.org; script-src 'unsafe-inline'",
    'https://*',
    'https://Node1.example.org',
    'ftp://node1.example.org',
  ])('is refused at %s', (url) => {
    expect(() => of({ ...port, CAIRN_AGENT_TRANSFER_URL: url })).toThrow(
      /^CAIRN_AGENT_TRANSFER_PORT must be/,
    );
  });

  it('is refused without encryption, unless the network is trusted', () => {
    const plain = { ...port, CAIRN_AGENT_TRANSFER_URL: 'http://node1.example.org' };
    expect(() => of(plain)).toThrow(/^http:\/\/node1.example.org would carry files/);
    expect(of({ ...plain, CAIRN_AGENT_ALLOW_PLAIN: '1' })).toMatchObject({ url: 'http://node1.example.org' });
    expect(() => of({ ...plain, CAIRN_AGENT_TRANSFER_PORT: '70000' })).toThrow(/must be a port/);
  });
});
