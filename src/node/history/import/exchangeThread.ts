// The thread that reads one file with sessions, and what the history worker asks of it. A file is a stranger's: what it
// holds may be made to take all memory, so it is parsed here, with little memory, and the history worker gets what core let
// through. Promises: whatever becomes of the thread, its calls are answered; `close` ends it.

import { Worker, type MessagePort } from 'node:worker_threads';
import type { ExchangedOutline } from '../../../core/exchange/exchange.ts';
import { Refused } from '../../../core/exchange/readExchange.ts';
import { systemCodeOf } from '../../atomicWrite.ts';
import { ExchangeFile, type MessagePart, type UnreadSession } from './exchangeFile.ts';

/** What the worker's file does when it is started with this. */
export interface ReadExchange {
  readonly readExchange: string;
  readonly now: number;
}

interface Asked {
  count: () => number;
  session: (number: number) => ExchangedOutline | UnreadSession;
  message: (at: number, from: number) => MessagePart;
  blob: (hash: string) => Uint8Array<ArrayBuffer> | null;
}

type Request = {
  [Name in keyof Asked]: { readonly name: Name; readonly args: Parameters<Asked[Name]> };
}[keyof Asked];

type Answer =
  | { readonly value: ReturnType<Asked[keyof Asked]> }
  /** A session. */
  | { readonly refused: string }
  /** The whole file. */
  | { readonly failed: string };

/**
 * What is parsed was measured before. Where that was not enough, this ends the thread and not the process, most of the
 * time: the engine can't always stop in the middle of parsing.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** The file, or the thread that read it, is of no more use; the message says why, for a person. */
export class FileTrouble extends Error {}

export class ExchangeReader {
  private readonly worker: Worker;
  private waiting: { readonly resolve: (value: never) => void; readonly reject: (cause: unknown) => void } | null =
    null;
  private end: FileTrouble | null = null;

  constructor(workerFile: string, what: ReadExchange) {
    this.worker = new Worker(workerFile, { name: 'import', workerData: what, resourceLimits });
    this.worker.on('message', (answer: Answer) => this.settle(answer));
    // Whatever it was: nothing of the session that was asked for is here.
    this.worker.on('error', () => this.ended());
    this.worker.on('exit', () => this.ended());
  }

  /** Throws Refused for what can't be taken, and FileTrouble. One at a time. */
  ask<Name extends keyof Asked>(name: Name, ...args: Parameters<Asked[Name]>): Promise<ReturnType<Asked[Name]>> {
    return new Promise((resolve, reject) => {
      if (this.end) return reject(this.end);
      this.waiting = { resolve, reject };
      this.worker.postMessage({ name, args });
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private settle(answer: Answer): void {
    const { waiting } = this;
    this.waiting = null;
    if ('value' in answer) waiting?.resolve(answer.value as never);
    else if ('refused' in answer) waiting?.reject(new Refused(answer.refused));
    else waiting?.reject(new FileTrouble(answer.failed));
  }

  private ended(): void {
    this.end = new FileTrouble('There is not enough memory to read it.');
    this.waiting?.reject(this.end);
    this.waiting = null;
  }
}

/** In the thread: answers until it is ended. */
export function serveExchange(port: MessagePort, { readExchange, now }: ReadExchange): void {
  let file: ExchangeFile | null = null;
  const answer = ({ name, args }: Request): ReturnType<Asked[keyof Asked]> => {
    file ??= new ExchangeFile(readExchange, now);
    switch (name) {
      case 'count':
        return file.count;
      case 'session':
        return file.session(...args);
      case 'message':
        return file.message(...args);
      case 'blob':
        return file.blob(...args);
    }
  };
  port.on('message', (request: Request) => {
    try {
      const value = answer(request);
      port.postMessage({ value } satisfies Answer, bytesIn(value));
    } catch (cause) {
      const isOfFile = request.name === 'count' || !(cause instanceof Refused);
      const words = cause instanceof Refused ? cause.message : systemWords(cause);
      port.postMessage((isOfFile ? { failed: words } : { refused: words }) satisfies Answer);
    }
  });
}

/** They are moved to the other thread, not copied. */
function bytesIn(value: ReturnType<Asked[keyof Asked]>): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer];
  if (typeof value !== 'object' || value === null || !('texts' in value)) return [];
  return value.texts.map(({ bytes }) => bytes.buffer);
}

/** Throws what is no trouble of the system. */
function systemWords(cause: unknown): string {
  const code = systemCodeOf(cause);
  switch (code) {
    case '':
      throw cause;
    case 'ENOENT':
      return 'It is not there any more.';
    case 'EACCES':
    case 'EPERM':
      return 'The system does not let it be read.';
    case 'EISDIR':
      return 'It is a folder.';
    default:
      return `The system says ${code}.`;
  }
}
