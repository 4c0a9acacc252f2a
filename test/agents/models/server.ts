// A model server on loopback for real agents: it answers by the words of the prompt (`script.ts`) and keeps every request
// as it came, so that a test can say what a model was told. It speaks OpenAI's chat completions and Anthropic's
// messages, with streaming and tool calls; where it is told a key, it answers to nobody without it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as anthropic from './anthropic.ts';
import * as openai from './openai.ts';
import { replyTo, type Heard, type Reply } from './script.ts';

export interface ModelServer {
  /** Without a path. */
  readonly address: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export interface ModelRequest {
  readonly path: string;
  /** All of it that is the conversation: what the model was told. */
  readonly messages: string;
  /** With tools: not a title, nor a summary. */
  readonly isMain: boolean;
  /** The text of the message whose order was followed. */
  readonly order: string;
  /** As it came. */
  readonly body: { readonly [field: string]: unknown };
}

export interface ModelServerOptions {
  /** Without it, everybody is answered. */
  readonly key?: string;
  /** It thinks where it is told to, and says so; or refuses to be told. */
  readonly thinks?: 'aloud' | 'never';
}

/** What it thinks. */
export const thought = 'What is wanted here? Ah: that.';

export async function serveModels({ key, thinks }: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    const { authorization, 'x-api-key': given } = request.headers;
    if (key !== undefined && authorization !== `Bearer ${key}` && given !== key)
      return json(response, 401, {
        error: { type: 'authentication_error', message: `The key is wrong: ${String(given ?? authorization)}` },
      });
    void answer(request, response, requests, thinks).catch((cause: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(cause));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  thinks: ModelServerOptions['thinks'],
): Promise<void> {
  const path = (request.url ?? '').replace(/\?.*/, '');
  const raw = await textOf(request);
  const keep = (body: { readonly messages?: unknown }, { order, tools }: Heard) =>
    requests.push({
      path,
      messages: JSON.stringify(body.messages),
      isMain: tools.length > 0,
      order,
      body: { ...body },
    });
  const thinking = (isTold: boolean) => (thinks === 'aloud' && isTold ? { thought } : {});
  const refuse = (message: string) => json(response, 400, { error: { type: 'invalid_request_error', message } });
  if (path.endsWith('/chat/completions')) {
    const body = JSON.parse(raw) as Parameters<typeof openai.heardIn>[0];
    const heard = openai.heardIn(body);
    keep(body, heard);
    if (thinks === 'never' && body.reasoning_effort !== undefined)
      return refuse("Unsupported value: 'reasoning_effort' does not support this with this model.");
    const reply = { ...replyTo(heard), ...thinking(openai.isToldToThink(body)) };
    await stream(response, openai.eventsOf(reply, body), reply);
  } else if (path.endsWith('/messages')) {
    const body = JSON.parse(raw) as Parameters<typeof anthropic.heardIn>[0] & { readonly stream?: boolean };
    const heard = anthropic.heardIn(body);
    keep(body, heard);
    if (thinks === 'never' && body.thinking) return refuse('thinking: Input should not be given for this model');
    const trouble = thinks === 'aloud' ? anthropic.troubleWith(body) : null;
    if (trouble !== null) return refuse(trouble);
    const reply = { ...replyTo(heard), ...thinking(anthropic.isToldToThink(body)) };
    if (body.stream) await stream(response, anthropic.eventsOf(reply, body), reply);
    else json(response, 200, anthropic.messageOf(reply, body));
  } else if (path === '/api/version') json(response, 200, { version: '0.20.1' });
  else if (path.endsWith('/models')) json(response, 200, { data: [{ id: 'model' }, { id: 'second' }] });
  else if (path.endsWith('/count_tokens')) json(response, 200, { input_tokens: 10 });
  else json(response, 404, { error: { type: 'not_found_error', message: `Nothing is at ${path}` } });
}

async function stream(response: ServerResponse, events: Iterable<string>, { open }: Reply): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of events) {
    if (response.destroyed) return;
    if (!response.write(event)) await drained(response);
  }
  if (!open) response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => response.once('drain', resolve).once('close', resolve));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
