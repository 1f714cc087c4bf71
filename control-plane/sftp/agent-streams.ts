import type { Readable } from 'node:stream';
import type { ServerOnNode, TransferContext } from '../agents/ask-files.ts';
import { type AgentWriter, readFromAgent, writeToAgent } from '../transfers/streams.ts';

/** A file that is written in order. */
export type FileUpload = Pick<AgentWriter, 'write' | 'cancel'> & {
  /** Moves the file to its place. With `if_etag` only over the file that has it; `''` means that there is none. */
  finish(...how: Parameters<AgentWriter['finish']>): Promise<unknown>;
};

/** Bytes of files to and from agents. */
export interface AgentStreams {
  read(server: ServerOnNode, path: string, range: { offset: number; length?: number }): Promise<Readable>;
  /** `bytes` is null when the size is not known. */
  write(server: ServerOnNode, file: { path: string; bytes: number | null }): Promise<FileUpload>;
}

/** The streams of a control plane. */
export const agentStreams = (context: TransferContext): AgentStreams => ({
  read: (server, path, range) => readFromAgent(context, server, path, range),
  write: (server, file) => writeToAgent(context, server, file),
});
