import type { CrashRule } from '../rules.ts';

/** A name of a mod, plugin or file as logs write it. */
const mod = '[\\w.+-]{1,64}';
const named = (before: string, after = ''): RegExp => new RegExp(`${before}(?<what>${mod})${after}`, 'i');

/**
 * The causes that are known, the most certain first: what an answer names first is what to do first. Their texts are
 * `crash_help.cause_CAUSE` and `crash_help.do_CAUSE`. The words are those of
 * the game, its loaders and Java.
 */
export const crashRules = [
  {
    cause: 'eula',
    patterns: [{ has: 'you need to agree to the eula' }, { has: 'accept the eula of the game' }],
    link: 'files',
  },
  {
    cause: 'disk_full',
    patterns: [
      { has: 'no space left on device' },
      { has: 'disk quota exceeded' },
      { has: 'not enough space on the disk' },
      { has: 'enospc' },
    ],
    link: 'files',
  },
  {
    cause: 'port_in_use',
    patterns: [
      { has: 'failed to bind to port' },
      { has: 'address already in use', take: /:(?<what>\d{2,5})\b/ },
      { has: 'eaddrinuse', take: /:(?<what>\d{2,5})\b/ },
      { has: 'perhaps a server is already running on that port' },
    ],
    link: 'properties',
  },
  {
    cause: 'jvm_flag',
    patterns: [
      { has: 'unrecognized vm option', take: /option '(?<what>[\w+:=.-]{1,80})/i },
      { has: 'unrecognized option:', take: /option: (?<what>-[\w+:=.-]{1,80})/i },
      { has: 'invalid maximum heap size', take: /size: (?<what>[\w-]{1,40})/i },
      { has: 'invalid initial heap size', take: /size: (?<what>[\w-]{1,40})/i },
      { has: 'initial heap size set to a larger value than the maximum heap size' },
      { has: 'conflicting collector combinations' },
      { has: 'multiple garbage collectors selected' },
      {
        has: 'must be enabled via -xx:+unlockexperimentalvmoptions',
        take: /option '(?<what>[\w+:=.-]{1,80})/i,
      },
    ],
    link: 'startup',
  },
  {
    cause: 'java_too_old',
    patterns: [
      { has: 'unsupportedclassversionerror', take: /class file version (?<what>\d{1,3})/i },
      { has: 'more recent version of the java runtime', take: /class file version (?<what>\d{1,3})/i },
      { has: 'requires running the server with java', take: /with java (?<what>\d{1,2})/i },
      { has: "of 'java'", and: 'requires version', take: /version (?<what>\d{1,2}) or later/i },
      { has: "of 'openjdk", and: 'requires version', take: /version (?<what>\d{1,2}) or later/i },
      { has: 'unsupported java detected' },
    ],
    link: 'startup',
  },
  {
    cause: 'java_too_new',
    patterns: [
      { has: 'unsupported class file major version', take: /major version (?<what>\d{1,3})/i },
      { has: 'inaccessibleobjectexception' },
      { has: 'cannot be cast to class java.net.urlclassloader' },
      { has: 'nosuchfieldexception: modifiers' },
    ],
    link: 'startup',
  },
  {
    cause: 'out_of_memory',
    patterns: [
      { has: 'java.lang.outofmemoryerror', take: /OutOfMemoryError: (?<what>[\w ]{1,40})/ },
      { has: 'insufficient memory for the java runtime' },
      { has: 'out of memory error (' },
      { has: 'gc overhead limit exceeded' },
      { has: 'javascript heap out of memory' },
      { has: 'could not reserve enough space for' },
    ],
    link: 'startup',
  },
  {
    cause: 'session_lock',
    patterns: [
      { has: 'session.lock', and: 'already locked' },
      { has: 'directorylock$lockexception' },
      { has: 'the save is being accessed from another location' },
      { has: 'failed to check session lock' },
    ],
    link: null,
  },
  {
    cause: 'mods_duplicate',
    patterns: [
      { has: 'found duplicate mod', take: named('duplicate mods?:? \\(?') },
      { has: 'duplicatemodsfoundexception' },
      { has: 'duplicate mods found' },
      { has: 'mod id', and: 'is present more than once', take: named("mod id '?") },
      { has: 'ambiguous plugin name', take: named('plugin name `') },
    ],
    link: 'content',
  },
  {
    cause: 'dependency_missing',
    patterns: [
      { has: 'which is missing', and: 'requires', take: named("of (?:mod )?'?", "[' ,(]") },
      { has: "actual version: '[missing]'", take: named("mod id: '") },
      { has: 'unknown dependency', take: named('unknown dependency ') },
      { has: 'unknowndependencyexception', take: named('exception: \\[?') },
      { has: 'missing or unsupported mandatory dependencies' },
      { has: 'is missing the dependenc', take: named("'") },
    ],
    link: 'content',
  },
  {
    cause: 'mod_incompatible',
    patterns: [
      { has: 'is incompatible with', take: named("mod '[^'\\n]{1,80}' \\(", '\\)') },
      { has: 'but only the wrong version', take: named("mod '[^'\\n]{1,80}' \\(", '\\)') },
      { has: 'requires forge', take: named('mod ') },
      { has: 'requires neoforge', take: named('mod ') },
      { has: 'incompatible mods found' },
      { has: 'incompatible mod set' },
      { has: 'unsupported api version', take: named("'?plugin '?") },
      { has: 'is not a valid mod file', take: /mod file (?:[\w/.-]{0,200}\/)?(?<what>[\w.+-]{1,100}\.jar)/i },
    ],
    link: 'content',
  },
  {
    cause: 'mod_wrong_side',
    patterns: [
      { has: 'for invalid dist dedicated_server' },
      { has: 'in environment type server', and: 'cannot load class' },
    ],
    link: 'content',
  },
  {
    cause: 'mixin_failed',
    patterns: [
      { has: 'mixin apply for mod', take: named('mixin apply for mod ', ' failed') },
      { has: 'mixin apply failed', take: named('apply failed ', '\\.mixins?\\.json') },
      { has: 'mixinapplyerror', take: named('mixin \\[', '\\.mixins?\\.json') },
      { has: 'mixintransformererror' },
      { has: 'invalidmixinexception', take: named('', '\\.mixins?\\.json') },
      { has: 'critical injection failure', take: named('', '\\.mixins?\\.json') },
    ],
    link: 'content',
  },
  {
    cause: 'mod_failed',
    patterns: [
      { has: 'could not execute entrypoint stage', take: named("provided by '") },
      { has: 'failed to create mod instance', take: named('modid: ') },
      { has: 'has failed to load correctly', take: named('\\(', '\\)') },
      { has: 'failed to load: remove or disable it', take: named('the (?:mod|plugin) ') },
      { has: 'caught exception from', take: named('exception from [^(\\n]{1,80}\\(', '\\)') },
    ],
    link: 'content',
  },
  {
    cause: 'plugin_failed',
    patterns: [
      { has: 'error occurred while enabling', take: named('while enabling ') },
      { has: "could not load 'plugins", take: /could not load 'plugins[\\/](?<what>[\w.+ -]{1,100}\.jar)/i },
      { has: 'could not load plugin', take: /could not load plugin '?(?<what>[\w.+-]{1,100})/i },
      { has: 'invalidpluginexception' },
      { has: 'invaliddescriptionexception' },
    ],
    link: 'content',
  },
  {
    cause: 'level_corrupt',
    patterns: [
      { has: 'level.dat', and: 'exception reading' },
      { has: 'level.dat', and: 'failed to load' },
      { has: 'level.dat', and: 'corrupt' },
      { has: 'failed to load world data from' },
      { has: 'unable to read or access the world gen settings' },
      { has: 'no key dimensions in maplike' },
    ],
    link: 'backups',
  },
  {
    cause: 'world_newer',
    patterns: [
      { has: 'saved with newer version of minecraft' },
      { has: 'this world was created by a newer version' },
      { has: 'world was saved with', and: 'downgrade' },
    ],
    link: 'loader',
  },
  {
    cause: 'world_missing',
    patterns: [
      { has: 'no level.dat found' },
      { has: 'there is no world named', take: named("named '?") },
      { has: 'unable to find world', take: named("world '?") },
      { has: 'world folder', and: 'does not exist' },
    ],
    link: 'properties',
  },
  {
    cause: 'chunk_corrupt',
    patterns: [
      { has: 'chunk file at', and: 'wrong location' },
      { has: "couldn't load chunk" },
      { has: 'failed to load chunk' },
      { has: 'corrupt regionfile header', take: /(?<what>r\.-?\d{1,7}\.-?\d{1,7}\.mca)/i },
      { has: 'has been truncated', and: '.mca', take: /(?<what>r\.-?\d{1,7}\.-?\d{1,7}\.mca)/i },
      { has: 'region file', and: 'corrupt', take: /(?<what>r\.-?\d{1,7}\.-?\d{1,7}\.mca)/i },
      { has: 'chunk stream is truncated' },
    ],
    link: 'backups',
  },
  {
    cause: 'datapack_broken',
    patterns: [
      { has: "failed to load datapacks, can't proceed" },
      { has: 'datapacks prevented the world from loading' },
      { has: "couldn't parse data file", take: /data file '?(?<what>[\w:./-]{1,100})/i },
      { has: 'failed to parse', and: 'from pack', take: /from pack (?<what>[\w./ -]{1,80})/i },
    ],
    link: 'files',
  },
  {
    cause: 'property_invalid',
    patterns: [
      { has: 'failed to load properties from file', take: /file: (?<what>[\w./-]{1,80})/i },
      { has: 'server.properties', and: 'failed to parse' },
      { has: 'server.properties', and: 'invalid value' },
      { has: 'malformed \\uxxxx encoding' },
    ],
    link: 'properties',
  },
  {
    cause: 'permission_denied',
    patterns: [
      { has: 'accessdeniedexception', take: /AccessDeniedException: (?<what>[^\s:]{1,120})/i },
      { has: '(permission denied)', take: /(?<=(?<what>[^\s(]{1,120})) \(permission denied\)/i },
      { has: 'eacces: permission denied' },
      { has: 'operation not permitted', and: 'exception' },
    ],
    link: 'files',
  },
  {
    cause: 'jar_broken',
    patterns: [
      { has: 'invalid or corrupt jarfile', take: /jarfile (?<what>[^\s]{1,120})/i },
      { has: 'unable to access jarfile', take: /jarfile (?<what>[^\s]{1,120})/i },
      { has: 'zip end header not found' },
      { has: 'zipexception', and: 'invalid' },
    ],
    link: 'loader',
  },
  {
    cause: 'stack_overflow',
    patterns: [{ has: 'stackoverflowerror' }],
    link: 'startup',
  },
  {
    cause: 'watchdog',
    patterns: [
      { has: 'a single server tick took', take: /tick took (?<what>[\d.]{1,12}) seconds/i },
      { has: 'the server has stopped responding' },
      { has: 'considering it to be crashed' },
      { has: 'description: watching server' },
    ],
    link: 'content',
  },
  {
    cause: 'native_crash',
    patterns: [
      { has: 'a fatal error has been detected by the java runtime' },
      { has: '# problematic frame' },
      { has: 'sigsegv (0x' },
      { has: 'sigbus (0x' },
    ],
    link: 'startup',
  },
  {
    cause: 'ticking',
    patterns: [
      { has: 'description: ticking entity' },
      { has: 'description: ticking block entity' },
      { has: 'description: exception ticking world' },
    ],
    link: 'backups',
  },
  {
    cause: 'class_missing',
    patterns: [
      { has: 'noclassdeffounderror', take: /NoClassDefFoundError: (?<what>[\w/.$]{1,120})/i },
      { has: 'nosuchmethoderror' },
      { has: 'nosuchfielderror' },
      { has: 'classnotfoundexception', take: /ClassNotFoundException: (?<what>[\w/.$]{1,120})/i },
    ],
    link: 'content',
  },
] as const satisfies readonly CrashRule[];

export type CrashCause = (typeof crashRules)[number]['cause'];
