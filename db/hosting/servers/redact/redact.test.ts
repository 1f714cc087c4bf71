import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/soak.ts';
import { createRedactor } from './redact.ts';

const redact = (text: string, secrets: string[] = []) => createRedactor({ secrets })(text);

describe('redacting', () => {
  it.each([
    ['rcon.password=two words', 'rcon.password=<removed>'],
    ['  management-server-secret = abc', '  management-server-secret = <removed>'],
    ['{"token": "a\\"b", "port": 25565}', '{"token": "<removed>", "port": 25565}'],
    ["password: 'it'", 'password: "<removed>"'],
    ['connect with apiKey=abcd1234&mode=2', 'connect with apiKey=<removed>&mode=2'],
    [
      'java -Ddb.password=hunter2 -jar x --accessToken abc --port 1',
      'java -Ddb.password=<removed> -jar x --accessToken <removed> --port 1',
    ],
    ['Steve issued server command: /login hunter2', 'Steve issued server command: /login <removed>'],
    ['Authorization: Basic YWRhOng=', 'Authorization: <removed>'],
    ['jdbc:mysql://ada:hunter2@db.example/x', 'jdbc:mysql://<removed>@db.example/x'],
    ['https://chat.example/api/webhooks/123/abc-DEF', 'https://chat.example/api/webhooks/<removed>'],
    [`token is mrp_${'a'.repeat(60)}.`, 'token is <removed>.'],
    ['session eyJhbGciOi.eyJzdWIi.c2ln!', 'session <removed>!'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE+/=\n-----END PRIVATE KEY-----\nnext', '<removed>\nnext'],
    ['mail to ada.l+x@example.org please', 'mail to <e-mail> please'],
    ['Ada[/203.0.113.5:54321] logged in', 'Ada[/<address-1>:54321] logged in'],
    ['/2001:db8:0:0:0:0:0:1:54321 lost', '/<address-1>:54321 lost'],
    ['from 2001:db8::5: timed out', 'from <address-1>: timed out'],
    ['[::ffff:203.0.113.5]', '[::ffff:<address-1>]'],
  ])('takes the secret out of %j', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    '[12:34:56] [Server thread/INFO]: Done (3.512s)! For help, type "help"',
    'Starting server on 0.0.0.0:25565, rcon on 127.0.0.1, [::1]:25575',
    'Loading jei-1.21.1-fabric-19.21.0.247.jar, lib-1.2.3.4.jar and v1.2.3.4',
    'enable-rcon=true\nenforce-secure-profile=true\nrequire-password=false',
    'Unexpected token: } at line 3',
    'at java.base@21.0.4/java.lang.Thread.run(Thread.java:1583) Foo::bar',
    'resource-pack-sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'UUID of player Ada is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
  ])('leaves what explains a problem: %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('knows the same address again in all texts of one redactor', () => {
    const clean = createRedactor();
    expect(clean('198.51.100.1 and 198.51.100.2')).toBe('<address-1> and <address-2>');
    expect(clean('198.51.100.2')).toBe('<address-2>');
  });

  it('takes linear time with lines made to be slow', () => {
    const lines = [
      'a@'.repeat(50_000),
      'password'.repeat(20_000),
      ':0'.repeat(50_000),
      '1.'.repeat(50_000),
      ' '.repeat(100_000),
    ];
    for (const line of lines) expect(redact(line).length).toBeGreaterThan(0);
  });
});

const secret = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-!$%'), minLength: 8, maxLength: 40 });
const around = fc.constantFrom(' ', '\n', '"', '(', '[', '/', '=', ',', ';', '\t', "'", '|', '<');
const after = fc.constantFrom(' ', '\n', '"', ')', ']', '/', ',', ';', ':', ':25565', '\t', "'", '>', '.\n');
const noise = fc.string({ maxLength: 30 });
const check = (property: fc.IRawProperty<unknown>) =>
  fc.assert(property as never, { numRuns: propertyRuns(200) });

describe('whatever stands around it', () => {
  it('no known secret stays', () => {
    check(
      fc.property(noise, secret, noise, (before, value, behind) => {
        expect(redact(`${before}${value}${behind}`, [value])).not.toContain(value);
      }),
    );
  });

  it('no value of a setting with a secret stays', () => {
    const key = fc.constantFrom(
      'password',
      'rcon.password',
      'API_KEY',
      'discord-token',
      'clientSecret',
      'db.passwd',
    );
    const sign = fc.constantFrom('=', ': ', ' = ', '="', ": '", ' => ');
    check(
      fc.property(around, key, sign, secret, (before, name, equals, value) => {
        const end = equals.endsWith('"') ? '"' : equals.endsWith("'") ? "'" : '';
        expect(redact(`x${before}${name}${equals}Q${value}Q${end}\nnext`)).not.toContain(`Q${value}Q`);
      }),
    );
  });

  it('no IP address and no e-mail address stays', () => {
    const ipv4 = fc.ipV4().filter((one) => !/^(?:127\.|0\.0\.0\.0$|255\.255\.255\.)/.test(one));
    const ipv6 = fc
      .array(fc.integer({ min: 0x10, max: 0xffff }), { minLength: 8, maxLength: 8 })
      .map((groups) => groups.map((one) => one.toString(16)).join(':'));
    const email = fc.constantFrom('ada@example.org', 'a.b+c@mail.example.co.uk', 'jürgen@exämple.de');
    check(
      fc.property(noise, around, fc.oneof(ipv4, ipv6, email), after, (text, before, value, behind) => {
        expect(redact(`${text}${before}${value}${behind}`)).not.toContain(value);
      }),
    );
  });

  it('redacting again changes nothing', () => {
    const part = fc.oneof(
      noise,
      secret,
      fc.ipV4(),
      fc.ipV6(),
      fc.emailAddress(),
      fc.constantFrom('password=', 'token: "', '/login ', 'Bearer ', '://', '@', '\n'),
    );
    check(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = redact(parts.join(''));
        expect(redact(once)).toBe(once);
      }),
    );
  });
});
