// What an agent reads and writes through its client: ACP's two file methods. Promises: nothing is read or written that
// the guard does not give, or that a person was asked about and did not allow; an open editor comes before the disk;
// writes happen one after another, and each is told with what was there before; a refusal is an answer in words.

import {
  RequestError,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type WriteTextFileRequest,
  type WriteTextFileResponse,
} from '@agentclientprotocol/sdk';
import type { FilePorts, FileQuestion, FileTurn, FileUse } from '../../core/files.ts';
import type { ClientHandlers } from '../acp/clientHandlers.ts';
import { refusal } from '../acp/turnRule.ts';
import { systemCodeOf } from '../atomicWrite.ts';
import { FileTrouble, mostBytes, readText, steadily, tooLarge, writeText } from './diskText.ts';
import type { Guard, Guarded } from './guard.ts';

type FileHandlers = Required<Pick<ClientHandlers, 'readTextFile' | 'writeTextFile'>>;

type Given = Exclude<Guarded, { readonly kind: 'refused' }>;

/** Lives as long as the agent's program, for all its sessions. */
export function agentFiles(guard: Guard, ports: FilePorts): FileHandlers {
  const files = new AgentFiles(guard, ports);
  return {
    readTextFile: (request, turn, signal) => inWords('read', request.path, () => files.read(request, turn, signal)),
    writeTextFile: (request, turn, signal) => inWords('write', request.path, () => files.write(request, turn, signal)),
  };
}

class AgentFiles {
  private readonly guard: Guard;
  private readonly ports: FilePorts;
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(guard: Guard, ports: FilePorts) {
    this.guard = guard;
    this.ports = ports;
  }

  async read(request: ReadTextFileRequest, turn: FileTurn | null, signal: AbortSignal): Promise<ReadTextFileResponse> {
    const { path, line, limit } = request;
    const guarded = await this.judge(path, 'read');
    await this.allow(turn, path, guarded, { kind: 'read' }, signal);
    const { real } = guarded;
    const open = await this.ports.editors.openText(real);
    if (open !== null && Buffer.byteLength(open) > mostBytes) throw new FileTrouble(tooLarge);
    // Gemini reads a file before it writes it, and takes an error for the end of that.
    const content = open ?? (await steadily(() => readText(real)))?.text ?? '';
    return { content: linesOf(content, line ?? null, limit ?? null) };
  }

  async write(request: WriteTextFileRequest, turn: FileTurn, signal: AbortSignal): Promise<WriteTextFileResponse> {
    const { path, content } = request;
    if (Buffer.byteLength(content) > mostBytes) throw new FileTrouble('would be larger than 10 MB');
    // The disk would hold something else than what was said.
    if (/\p{Surrogate}/u.test(content)) throw new FileTrouble('would hold half a character');
    const put = async (real: string) => {
      if (signal.aborted) throw RequestError.requestCancelled();
      await turn.write(async () => ({ path: real, before: await this.put(path, real, content), after: content }));
    };
    const guarded = await this.inTurn(async () => {
      const judged = await this.judge(path, 'write');
      if (judged.kind === 'inside') await put(judged.real);
      return judged;
    });
    if (guarded.kind === 'inside') return {};
    // Other files do not wait for a person.
    await this.allow(turn, path, guarded, { kind: 'write', content }, signal);
    await this.inTurn(() => put(guarded.real));
    return {};
  }

  /** What was there before. */
  private async put(path: string, real: string, content: string): Promise<string | null> {
    const { editors } = this.ports;
    const open = await editors.openText(real);
    if (open !== null) {
      // An editor saves by the path that it has, and the question may have stood for long.
      const again = await this.judge(path, 'write');
      if (again.real !== real) throw new FileTrouble('was moved meanwhile');
      if (await editors.writeOpen(real, content)) return open;
    }
    return steadily(async () => {
      const before = await readText(real);
      await writeText(real, content, before);
      return before?.text ?? null;
    });
  }

  private async judge(path: string, use: FileUse): Promise<Given> {
    const guarded = await this.guard.resolve(path, use);
    if (guarded.kind === 'refused') throw refusal(guarded.words);
    return guarded;
  }

  /** A yes is for this question only: whatever leads elsewhere later is not opened. */
  private async allow(
    turn: FileTurn | null,
    path: string,
    guarded: Given,
    what: Pick<FileQuestion, 'kind' | 'content'>,
    signal: AbortSignal,
  ): Promise<void> {
    if (guarded.kind === 'inside') return;
    const { real, why } = guarded;
    if (!turn?.canAsk)
      throw refusal(`“${path}” is not given, because ${why}, and nobody can be asked outside of a running turn.`);
    const isAllowed = await this.ports.ask(turn, { ...what, path: real, why }, signal);
    if (signal.aborted) throw RequestError.requestCancelled();
    if (!isAllowed)
      throw refusal(`“${path}” is not given: the person was asked, because ${why}, and did not allow it.`);
  }

  /** In the order of the requests. */
  private inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const written = this.lastWrite.then(write);
    this.lastWrite = written.catch(() => {
      // Its own request is told; the next one does not depend on it.
    });
    return written;
  }
}

/** Lines from `line` on, counted from 1, at most `limit`, with their ends: pieces put together are the file. */
export function linesOf(text: string, line: number | null, limit: number | null): string {
  const from = afterLines(text, 0, Math.max(0, (line ?? 1) - 1));
  return text.slice(from, limit === null ? text.length : afterLines(text, from, limit));
}

function afterLines(text: string, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0; left--) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

async function inWords<Result>(use: FileUse, path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    if (cause instanceof FileTrouble) throw refusal(`“${path}” ${cause.message}.`);
    // What the system says holds paths of our own; its code is enough.
    const code = systemCodeOf(cause);
    const why = code !== '' ? code : cause instanceof Error ? cause.message : String(cause);
    throw new RequestError(-32603, `“${path}” could not be ${use === 'read' ? 'read' : 'written'}: ${why}.`);
  }
}
