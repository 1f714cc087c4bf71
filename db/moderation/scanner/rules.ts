import type { Evidence } from './evidence.ts';

/** How grave a trace is, the least first. Source: api-v3 §5. */
export const severities = ['low', 'medium', 'high', 'severe', 'malware'] as const;
export type Severity = (typeof severities)[number];

/** Whether `severity` is at least as grave as `least`. */
export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(least);

/** The gravest of these; null without any. */
export const gravest = (all: readonly Severity[]): Severity | null =>
  all.reduce<Severity | null>((a, b) => (a === null || isAtLeast(b, a) ? b : a), null);

/** Raised whenever rules, evidence or the reading of archives change: everything is scanned again then. */
export const rules_version = 3;

/** What code has to do for a trace: all of `needs` (any one of a list) in one method, or in one class. */
export interface CodeRule {
  type: string;
  severity: Severity;
  needs: ReadonlyArray<Evidence | readonly Evidence[]>;
  within: 'method' | 'class';
}

/** Rules about code. Of two that find the same type in the same method, the graver counts. */
export const codeRules = [
  { type: 'network_address', severity: 'low', needs: ['address'], within: 'method' },
  { type: 'raw_network_address', severity: 'medium', needs: ['raw_address'], within: 'method' },
  { type: 'chat_webhook', severity: 'severe', needs: ['webhook'], within: 'method' },
  { type: 'hidden_text', severity: 'high', needs: [['hidden_address', 'built_text']], within: 'method' },
  { type: 'process_start', severity: 'medium', needs: ['starts_process'], within: 'method' },
  { type: 'shell_command', severity: 'high', needs: ['starts_process', 'shell'], within: 'method' },
  { type: 'script_download', severity: 'severe', needs: ['script_download'], within: 'method' },
  { type: 'class_definition', severity: 'medium', needs: ['defines_class'], within: 'method' },
  {
    type: 'remote_code',
    severity: 'severe',
    needs: ['defines_class', 'uses_network', ['address', 'raw_address', 'hidden_address', 'built_text']],
    within: 'class',
  },
  {
    type: 'remote_code',
    severity: 'severe',
    needs: ['loads_by_address', ['address', 'raw_address', 'hidden_address', 'built_text']],
    within: 'method',
  },
  { type: 'token_access', severity: 'medium', needs: ['reads_token'], within: 'method' },
  { type: 'token_reflection', severity: 'high', needs: ['token_name', 'reflects'], within: 'method' },
  { type: 'token_reflection', severity: 'high', needs: ['session_class', 'reflects'], within: 'method' },
  {
    type: 'token_theft',
    severity: 'severe',
    needs: [
      ['reads_token', 'token_name', 'session_class'],
      'uses_network',
      ['address', 'raw_address', 'hidden_address', 'built_text'],
    ],
    within: 'class',
  },
  { type: 'credential_store', severity: 'high', needs: ['credential_store'], within: 'method' },
  {
    type: 'credential_theft',
    severity: 'severe',
    needs: ['credential_store', 'uses_network'],
    within: 'class',
  },
  { type: 'autostart', severity: 'high', needs: ['autostart'], within: 'method' },
  { type: 'native_call', severity: 'low', needs: ['loads_native'], within: 'method' },
] as const satisfies readonly CodeRule[];

/** What archives and their entries are checked for besides code; `scan-archive.ts` says how. */
export const archiveRules = [
  { type: 'native_library', severity: 'medium' },
  { type: 'disguised_program', severity: 'high' },
  { type: 'obfuscated_names', severity: 'medium' },
  { type: 'name_trick', severity: 'high' },
  { type: 'header_mismatch', severity: 'high' },
  { type: 'unreadable', severity: 'medium' },
  { type: 'known_malware', severity: 'malware' },
] as const satisfies ReadonlyArray<{ type: string; severity: Severity }>;

export type IssueType = (typeof codeRules)[number]['type'] | (typeof archiveRules)[number]['type'];
/** All issue types, in the order of the rules. */
export const issueTypes: readonly IssueType[] = [
  ...new Set([...codeRules, ...archiveRules].map(({ type }) => type)),
];

/** The severity of a rule about archives. */
export const severityOf = (type: (typeof archiveRules)[number]['type']): Severity =>
  archiveRules.find((rule) => rule.type === type)!.severity;

/** Limits of a scan. */
export const scanLimits = {
  /** Archives in archives. */
  depth: 4,
  /** Of an archive in an archive: it is held in memory. */
  nested_bytes: 48 * 1024 * 1024,
  class_bytes: 4 * 1024 * 1024,
  /** Unpacked bytes that a scan reads of a file. */
  total_bytes: 2048 * 1024 * 1024,
  /** Of a file and the archives in it, together: looking at each costs, however small it is. */
  entries: 200_000,
  /** Of a file; of one issue type, for all but the gravest. */
  pack_files: 4096,
  traces: 500,
  traces_per_type: 100,
  disassembly: 4096,
} as const;
