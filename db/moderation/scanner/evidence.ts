/**
 * What the scanner looks for in the code of a class. A call is `owner.name` of a method or field; a text is a constant that code
 * loads, or one that code builds of single characters. Regular expressions are linear: texts are as hostile as the rest.
 */

const all = (owner: string, ...names: string[]): string[] => names.map((name) => `${owner}.${name}`);

/** Calls by what they do. */
const calls = {
  starts_process: [
    ...all('java/lang/Runtime', 'exec'),
    ...all('java/lang/ProcessBuilder', 'start', 'startPipeline'),
  ],
  // of any owner: who extends a class loader calls it of its own class
  defines_class: all('*', 'defineClass', 'defineHiddenClass', 'defineAnonymousClass'),
  loads_by_address: [...all('java/net/URLClassLoader', '<init>', 'newInstance')],
  uses_network: [
    ...all('java/net/URL', 'openStream', 'openConnection'),
    ...all('java/net/HttpURLConnection', 'getOutputStream', 'getInputStream', 'connect'),
    ...all('java/net/URLConnection', 'getOutputStream', 'getInputStream', 'connect'),
    ...all('javax/net/ssl/HttpsURLConnection', 'getOutputStream', 'getInputStream', 'connect'),
    ...all('java/net/Socket', '<init>', 'connect'),
    ...all('java/net/http/HttpClient', 'send', 'sendAsync'),
    ...all('java/nio/channels/SocketChannel', 'open', 'connect'),
    ...all('okhttp3/OkHttpClient', 'newCall'),
    ...all('org/apache/http/client/HttpClient', 'execute'),
    ...all('org/apache/http/impl/client/CloseableHttpClient', 'execute'),
  ],
  reflects: [
    ...all('java/lang/Class', 'getMethod', 'getDeclaredMethod', 'getField', 'getDeclaredField'),
    ...all('java/lang/Class', 'getMethods', 'getDeclaredMethods', 'getFields', 'getDeclaredFields'),
    ...all('java/lang/reflect/Method', 'invoke'),
    ...all('java/lang/reflect/Field', 'get'),
    ...all('java/lang/invoke/MethodHandles$Lookup', 'findVirtual', 'findGetter', 'findStatic', 'unreflect'),
  ],
  loads_native: [
    ...all('java/lang/System', 'load', 'loadLibrary'),
    ...all('java/lang/Runtime', 'load', 'loadLibrary'),
  ],
  reads_token: [
    // the player's session by the names of the game's code: official, intermediary, older mappings
    ...all('net/minecraft/client/User', 'getAccessToken', 'getSessionId', 'accessToken'),
    ...all('net/minecraft/client/util/Session', 'getAccessToken', 'getSessionId'),
    ...all('net/minecraft/client/session/Session', 'getAccessToken', 'getSessionId'),
    ...all('net/minecraft/util/Session', 'getToken', 'func_148254_d', 'getSessionID', 'func_111286_b'),
    ...all('net/minecraft/class_320', 'method_1674', 'method_1675', 'field_1984'),
  ],
} as const;
export type CallEvidence = keyof typeof calls;

/** Hosts that name formats, not places: nothing is fetched from them. */
const formatHosts =
  /^https?:\/\/(?:www\.)?(?:w3\.org|xml\.org|xmlns\.com|java\.sun\.com|xmlns\.jcp\.org|xml\.apache\.org|relaxng\.org|json-schema\.org|javax\.xml\.XMLConstants|localhost|127\.0\.0\.1|example\.(?:org|com|net))(?:[/:?#]|$)/i;
const publicNetwork = (parts: readonly number[]): boolean => {
  const [a = 0, b = 0] = parts;
  const isPrivate =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168);
  return !isPrivate && !(a === 169 && b === 254) && !(a === 100 && b >= 64 && b < 128);
};
const isRawAddress = (text: string): boolean => {
  const found = /(?:\/\/|^)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?=[:/])/.exec(text);
  if (!found) return false;
  const parts = found.slice(1).map(Number);
  return parts.every((part) => part <= 255) && publicNetwork(parts);
};
const webhooks =
  /(?:^|[/.@])(?:discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/|api\.telegram\.org\/bot|hooks\.slack\.com\/services\/|pastebin\.com\/raw\/)/i;
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]{3,}/i.test(text) && !formatHosts.test(text);

/** A text in Base64 or in reverse that is an address. */
function isHiddenAddress(text: string): boolean {
  if (text.length < 12) return false;
  if (/^.{3,}\/\/:s?ptth$/i.test(text)) return true;
  if (text.length > 65_535 || !/^(?:aHR0cDovL|aHR0cHM6Ly)[A-Za-z0-9+/_-]{4,}={0,2}$/.test(text)) return false;
  return isAddress(Buffer.from(text, 'base64').toString('latin1'));
}

const shells =
  /(?:^|[\s/\\"])(?:powershell|pwsh|cmd|bash|sh|curl|wget|certutil|mshta|wscript|cscript|rundll32|regsvr32|schtasks)(?:\.exe)?(?:["\s]|$)/i;
/** Commands of a shell that only print: libraries ask for a folder or a version this way. */
const prints = /^cmd(?:\.exe)?\s+\/c\s+(?:echo|cd|ver|set)(?:\s+[^&|<>^\s]+)?$/i;
const scriptDownload =
  /powershell[^\n]{0,200}(?:-e(?:nc|ncodedcommand)?\s|-w(?:indowstyle)?\s+hidden|downloadstring|downloadfile|invoke-webrequest|\biwr\b|\biex\b)|(?:curl|wget)\s[^\n|]{0,300}\|\s{0,8}(?:ba|z|da)?sh\b|certutil[^\n]{0,60}-urlcache|mshta\s+https?:/i;
const stores =
  /(?:^|[\\/])(?:Login Data|Local State|cookies\.sqlite|logins\.json|key4\.db|wallet\.dat|launcher_accounts(?:_microsoft_store)?\.json|\.ssh[\\/]id_(?:rsa|ed25519|ecdsa)|\.aws[\\/]credentials)$|Local Storage[\\/]{1,2}leveldb|[\\/](?:Google[\\/]{1,2}Chrome|BraveSoftware[\\/]{1,2}Brave-Browser|Opera Software[\\/]{1,2}Opera(?: GX)? Stable)(?:[\\/]{1,2}User Data)?$|[\\/]Exodus[\\/]{1,2}exodus\.wallet/i;
const autostart =
  /CurrentVersion\\{1,2}Run(?:Once)?\\?$|Start Menu[\\/]{1,2}Programs[\\/]{1,2}Start-?up|(?:^|[\\/])etc[\\/]systemd[\\/]system(?:[\\/]|$)|\.config[\\/](?:systemd[\\/]user|autostart)|Library[\\/]Launch(?:Agents|Daemons)|schtasks[^\n]{0,40}\/create/i;
const tokenNames = /^(?:method_1674|method_1675|field_1984|func_148254_d|func_111286_b|field_148258_c)$/;
const sessionClasses =
  /^net[./]minecraft[./](?:client[./]User|client[./]util[./]Session|client[./]session[./]Session|util[./]Session|class_320)$/;

/** Texts by what they name. */
const texts = {
  address: isAddress,
  raw_address: isRawAddress,
  webhook: (text: string) => webhooks.test(text),
  hidden_address: isHiddenAddress,
  shell: (text: string) => text.length <= 2048 && shells.test(text) && !prints.test(text),
  script_download: (text: string) => scriptDownload.test(text),
  credential_store: (text: string) => stores.test(text),
  autostart: (text: string) => autostart.test(text),
  token_name: (text: string) => tokenNames.test(text),
  session_class: (text: string) => sessionClasses.test(text),
} as const satisfies Record<string, (text: string) => boolean>;
export type TextEvidence = keyof typeof texts;

/** Found by the scanner itself in code: a text that is built of single characters and says something above. */
export type Evidence = CallEvidence | TextEvidence | 'built_text';

const callsByName = new Map<string, CallEvidence>(
  Object.entries(calls).flatMap(([kind, list]) => list.map((name) => [name, kind as CallEvidence] as const)),
);
/** What calling `owner.name` is evidence of; null for nothing. */
export const evidenceOfCall = (name: string): CallEvidence | null =>
  callsByName.get(name) ?? callsByName.get(`*${name.slice(name.lastIndexOf('.'))}`) ?? null;

const kinds = Object.entries(texts) as Array<[TextEvidence, (text: string) => boolean]>;
/** What a text is evidence of. */
export const evidenceOfText = (text: string): TextEvidence[] =>
  text.length < 4 ? [] : kinds.filter(([, matches]) => matches(text)).map(([kind]) => kind);
