// The built-in agent with a model server of a test behind it: over real HTTP on loopback, through the AI SDK, the loop and
// the client.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { aboutModels, modelsRef } from '../../../src/agent/refs.ts';
import type { AgentSessionChange } from '../../../src/core/agents.ts';
import type { AgentAnswer, AgentUpdate, PromptPart } from '../../../src/core/agentTurn.ts';
import type { Permission } from '../../../src/model/agentState.ts';
import { acpProgram } from '../../../src/node/acp/program.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { agentTerminals } from '../../../src/node/acp/terminals/agentTerminals.ts';
import { agentFiles } from '../../../src/node/files/agentFiles.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { modelsTransport, type BuiltInOptions } from '../support/builtIn.ts';
import { ids, temporaryFolder } from '../support/history.ts';
import { never, quietDesk } from '../support/scriptedProgram.ts';

export const canary = 'sk-canary-0123456789';

export type Answer = (response: ServerResponse, body: string, request: IncomingMessage) => void;

/** Without a path; each request is answered by the next of the answers, and the last goes on. */
export async function serve(t: TestContext, ...answers: readonly Answer[]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces).toString('utf8');
      const answer = answers[Math.min(bodies.length, answers.length - 1)];
      bodies.push(body);
      answer?.(response, body, request);
    })();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

export function status(code: number, body: object | string, headers: { readonly [name: string]: string } = {}): Answer {
  return response => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export function says(words: string, more: { readonly usage?: object } = {}): Answer {
  return response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta: object, finish: string | null, rest: object = {}) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], ...rest })}\n\n`);
    chunk({ role: 'assistant', content: words }, null);
    chunk({}, 'stop', { usage: more.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
    response.end('data: [DONE]\n\n');
  };
}

export function uses(name: string, input: string): Answer {
  return response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const delta = { tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: { name, arguments: input } }] };
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

/** Half of an answer, and then this. */
export function half(then: (response: ServerResponse) => void): Answer {
  return response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choices = [{ index: 0, delta: { content: 'half' }, finish_reason: null }];
    response.write(`data: ${JSON.stringify({ choices })}\n\n`, () => then(response));
  };
}

export const model = { id: 'm1', contextWindow: 100_000 };

/** The person's answer where the client asks about a file by itself. */
type GuardAsks = (path: string, content: string | undefined) => boolean;

export function program(
  t: TestContext,
  setting: object,
  more: Partial<BuiltInOptions> = {},
  folder = temporaryFolder(t),
  guardAsks: GuardAsks = () => false,
) {
  const made = acpProgram({
    ref: modelsRef,
    about: aboutModels,
    takesPath: true,
    hasWindow: true,
    ...(more.newestKept ? { newestKept: more.newestKept } : {}),
    open: () => Promise.resolve(modelsTransport(setting, { folders: () => [folder], ...more }, { KEY: canary })),
    clock: systemClock,
    clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
    homeFolder: folder,
    handlers: () => ({
      ...agentFiles(
        guardIn(() => [folder]),
        {
          editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
          ask: (_session, { path, content }) => Promise.resolve(guardAsks(path, content)),
        },
      ),
      ...agentTerminals({
        folders: () => [folder],
        env: process.env,
        newTerminalId: ids.message,
        clock: systemClock,
        onWarning: words => t.diagnostic(words),
      }),
    }),
    newPermissionId: ids.message,
    onWarning: words => t.diagnostic(words),
  });
  t.after(() => made.stop());
  return made;
}

export interface Asked {
  readonly answer: AgentAnswer;
  readonly text: string;
  readonly updates: readonly AgentUpdate[];
  readonly changes: readonly AgentSessionChange[];
}

export interface AskOptions {
  readonly parts?: readonly PromptPart[];
  readonly ports?: Partial<BuiltInOptions>;
  /** Where it works. */
  readonly folder?: string;
  readonly guardAsks?: GuardAsks;
  readonly onAsk?: (permission: Permission) => void;
  readonly choose?: 'allow_once' | 'reject_once';
  readonly signal?: AbortSignal;
  readonly onUpdate?: (update: AgentUpdate) => void;
}

export async function ask(t: TestContext, setting: object, options: AskOptions = {}): Promise<Asked> {
  const folder = options.folder ?? temporaryFolder(t);
  const agent = await program(t, setting, options.ports, folder, options.guardAsks).start(never);
  const session = await agent.newSession({ cwd: folder, alsoIn: [] }, never);
  const updates: AgentUpdate[] = [];
  const changes: AgentSessionChange[] = [];
  session.onDidChange(change => changes.push(change));
  const desk = {
    ...quietDesk,
    onUpdate(update: AgentUpdate) {
      updates.push(update);
      options.onUpdate?.(update);
    },
    ask(permission: Permission) {
      options.onAsk?.(permission);
      return Promise.resolve(permission.choices.find(({ kind }) => kind === options.choose)?.id ?? null);
    },
  };
  const parts = options.parts ?? [{ type: 'text' as const, text: 'Hello' }];
  const answer = await session.prompt({ parts, path: [] }, desk, options.signal ?? never);
  const text = updates.flatMap(update => (update.type === 'text' ? [update.text] : [])).join('');
  return { answer, text, updates, changes };
}

export function at(address: string, more: object = {}): object {
  return { Here: { url: `${address}/v1`, key: '${secret:KEY}', models: [model], ...more } };
}
