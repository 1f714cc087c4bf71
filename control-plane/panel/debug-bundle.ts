import { changeViews } from '#db/hosting/servers/changes/read.ts';
import { debugBundleAside } from '#db/hosting/servers/debug/aside.ts';
import type { DebugPart } from '#db/hosting/servers/debug/bundle.ts';
import { type DebugRow, debugHistory } from '#db/hosting/servers/debug/read.ts';
import { readPropertiesAside } from '#db/hosting/servers/properties/aside.ts';
import { decodeProperties, properties_path } from '#db/hosting/servers/properties/file.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import { showStartup } from '#db/hosting/servers/startup/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { askFiles } from '../agents/ask-files.ts';
import { askAgent } from '../agents/connection-of.ts';
import type { PlaneContext } from '../context.ts';
import { serverContent } from './server-content.ts';

/** Lines of the console. */
const console_lines = 500;
/** Files of content. */
const max_content = 1_000;

/**
 * All that explains the state of a server as one text, without secrets. What cannot be had now, for its node is away or it is not
 * installed yet, is named with the reason. Refuses as `whyNotHave.options` says, and as `aside` does.
 */
export async function makeDebugBundle(
  context: PlaneContext,
  actor: Actor,
  server_id: string,
): Promise<{ file_name: string; text: string }> {
  const { sql, now } = context;
  const at = now();
  const { view, node_id } = await findAuthorizedServer(sql, actor, server_id, at, whyNotHave.options);
  const history = await debugHistory(sql, server_id, at);
  const server = { id: server_id, node_id };
  const secrets: string[] = [];
  const parts: DebugPart[] = [
    { title: 'Server', lines: json(view) },
    { title: 'Node', lines: json(history.node) },
    await part('Start', async () => json(await showStartup(sql, actor, server_id, at))),
    await part('Properties', async () => {
      const { content } = await askFiles(context, server, 'read_text', { path: properties_path });
      const text = decodeProperties(Buffer.from(content, 'base64'));
      for (const [key, value] of (await readPropertiesAside(text)).values)
        if (/password|secret|token/i.test(key)) secrets.push(value);
      return text.split(/\r?\n/);
    }),
    await part('Content', async () => {
      const { planning } = await serverContent(context, actor, server_id, 'read');
      const { files, more } = planning.installed;
      return [
        ...files
          .slice(0, max_content)
          .map(({ path, bytes, sha512, known, problem }) =>
            [
              path,
              `${bytes} bytes`,
              known ? `${known.project.slug} ${known.version.version_number}` : 'unknown',
              problem ?? '',
              `sha512 ${sha512.slice(0, 16)}`,
            ]
              .filter(Boolean)
              .join(', '),
          ),
        ...(more > 0 ? [`and ${more} more files`] : []),
      ];
    }),
    await part('Changes of content and loader', async () =>
      (await changeViews(sql, server_id)).map(({ by: _, ...change }) => JSON.stringify(change)),
    ),
    { title: 'Operations of the last 7 days, newest first', lines: history.operations.map(lineOf) },
    { title: 'Events of the last 7 days, newest first', lines: history.events.map(lineOf) },
    {
      ...(await part('Console, last lines', async () => {
        const tail = await askAgent(context, node_id, (agent) => agent.tail(server_id, null, console_lines));
        if (!tail) return ['(not available: server_unreachable)'];
        return tail.lines.map(
          ({ at: ms, stream, text }) => `${new Date(ms).toISOString()} ${stream} ${text}`,
        );
      })),
      newest_last: true,
    },
  ];
  const day = at.toISOString().slice(0, 10);
  const text = await debugBundleAside({ parts, secrets, made: at });
  return { file_name: `debug-${server_id}-${day}.txt`, text };
}

const json = (value: unknown): string[] => JSON.stringify(value, null, 2).split('\n');
const lineOf = ({ at, name, by, detail }: DebugRow): string =>
  `${new Date(at).toISOString()} ${name}, by ${by}: ${JSON.stringify(detail)}`;

/** A part, or why it cannot be had. */
async function part(title: string, read: () => Promise<string[]>): Promise<DebugPart> {
  try {
    return { title, lines: await read() };
  } catch (error) {
    const refused = toRefused(error);
    if (!refused) throw error;
    return { title, lines: [`(not available: ${refused.code})`] };
  }
}
