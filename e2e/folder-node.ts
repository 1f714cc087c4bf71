import type { SentSpec } from '../control-plane/protocol/agent.ts';
import { type DemoGame, demoGame } from './demo-game.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';
import { type ServerFolders, serverFolders } from './server-folders.ts';

/** A scripted node whose servers have files, and start and stop as soon as they should. */
export interface FolderNode extends ScriptedNode {
  folders: ServerFolders;
  /** The game of a server that runs. */
  game(server_id: string): DemoGame;
  /** How often a server was started. */
  started(server_id: string): number;
  /** The process of a server ends by itself; it stays down until somebody starts it. */
  crash(server_id: string, more?: object): Promise<void>;
}

/**
 * Joins as `scriptedNode` does. Files and content are handled by the code of the agent, the demo game is asked for its words, and
 * backups are reported as made; there are no containers and no network.
 */
export async function folderNode(join_token: string): Promise<FolderNode> {
  const games = new Map<string, DemoGame>();
  /** The last restart that was carried out, of servers that crashed too. */
  const restarts = new Map<string, number>();
  const starts = new Map<string, number>();
  const folders = serverFolders((...progress) => node.progress(...progress));

  async function start({ server_id, restart_seq, ...spec }: SentSpec): Promise<void> {
    restarts.set(server_id, restart_seq);
    starts.set(server_id, (starts.get(server_id) ?? 0) + 1);
    const game = demoGame({ server_id, restart_seq, ...spec }, folders.at(server_id));
    await node.power(server_id, 'starting');
    await node.print(server_id, game.lines);
    if (game.error) return await crash(server_id, { exit_code: 1 });
    games.set(server_id, game);
    await node.power(server_id, 'running', { duration_s: 1 });
  }
  async function stop(server_id: string): Promise<void> {
    games.delete(server_id);
    await node.power(server_id, 'stopped');
  }
  async function crash(server_id: string, more: object = {}): Promise<void> {
    games.delete(server_id);
    await node.power(server_id, 'crashed', more);
  }
  async function follow(spec: SentSpec): Promise<void> {
    const { server_id, restart_seq } = spec;
    const isOn = spec.power === 'on' && !spec.suspended;
    const isAsked = restart_seq > (restarts.get(server_id) ?? -1);
    if (games.has(server_id) && (!isOn || isAsked)) await stop(server_id);
    if (!isOn) restarts.delete(server_id);
    else if (isAsked) await start(spec);
  }

  const node = await scriptedNode(join_token, {
    provide: (spec) => folders.provide(spec),
    follow,
    query: (...question) => folders.query(...question),
    run: (operation) => folders.run(operation) ?? (operation.kind === 'backup_create' ? madeBackup() : null),
    async command(server_id, text) {
      await node.print(server_id, [text], 0, 'in');
      const answer = games.get(server_id)?.command(text);
      if (answer) await node.print(server_id, [`[INFO]: ${answer}`]);
    },
  });
  return {
    ...node,
    folders,
    game: (server_id) => games.get(server_id)!,
    started: (server_id) => starts.get(server_id) ?? 0,
    crash,
    close() {
      node.close();
      folders.close();
    },
  };
}

const madeBackup = async () => ({
  state: 'done',
  result: {
    ...{ bytes: 700, content_bytes: 1_000, files: 3, sha256: 'a'.repeat(64) },
    ...{ changed: [], changed_count: 0, unchanged: false },
  },
});
