// The first exchange with an agent: what this client says that it can do, and what may be believed of the answer. The
// SDK validates no response, so everything here is read by hand: what has the wrong shape is an ability that is not
// there; an agent of another protocol version cannot be used.

import { PROTOCOL_VERSION, type ClientCapabilities, type InitializeRequest } from '@agentclientprotocol/sdk';
import { AgentError } from '../../core/agentError.ts';
import type { AgentAbilities } from '../../core/agents.ts';
import type { AboutAgent } from '../../model/message.ts';
import { authMethodOf } from './authMethod.ts';
import type { ClientHandlers } from './clientHandlers.ts';
import { fieldsOf, isOn, listOf, textOf } from './fields.ts';
import type { McpAbilities } from './mcpServers.ts';
import { plainText } from './plainText.ts';

export interface ClientInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface Handshake {
  readonly abilities: AgentAbilities;
  readonly moreFolders: boolean;
  readonly mcp: McpAbilities;
  /** What an agent that knows this product says of itself. */
  readonly takesPath: boolean;
  readonly about: AboutAgent | null;
  /** Its own name and version, where it says them. */
  readonly called: string | null;
}

/** What this client offers. */
export interface Offer {
  readonly handlers: ClientHandlers;
  /** A person can be signed in at a terminal. */
  readonly signInTerminal: boolean;
  /** On top of that. */
  readonly more: ClientCapabilities;
}

export function greeting(info: ClientInfo, { handlers, signInTerminal, more }: Offer): InitializeRequest {
  const terminal = [
    handlers.createTerminal,
    handlers.terminalOutput,
    handlers.waitForTerminalExit,
    handlers.killTerminal,
    handlers.releaseTerminal,
  ].every(handler => handler !== undefined);
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: info,
    clientCapabilities: {
      fs: {
        readTextFile: handlers.readTextFile !== undefined,
        writeTextFile: handlers.writeTextFile !== undefined,
      },
      terminal,
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      ...(handlers.createElicitation ? { elicitation: { form: {}, url: {} } } : {}),
      ...(signInTerminal ? { auth: { terminal: true } } : {}),
      ...more,
      // Not of ACP, but what agents look for: what a terminal of theirs printed, and the old way to sign in at one.
      _meta: { terminal_output: true, 'terminal-auth': true, ...more._meta },
    },
  };
}

/** Throws AgentError `cannot-start`. */
export function handshakeOf(answer: unknown, name: string): Handshake {
  const fields = fieldsOf(answer);
  const version = fields?.['protocolVersion'];
  if (!fields || version !== PROTOCOL_VERSION) {
    const said =
      typeof version === 'number'
        ? `speaks version ${version} of the Agent Client Protocol, and Throughline speaks version ${PROTOCOL_VERSION}.`
        : 'does not speak the Agent Client Protocol: its first answer makes no sense.';
    throw new AgentError('cannot-start', `${name} ${said}`);
  }
  const can = fieldsOf(fields['agentCapabilities']) ?? {};
  const session = fieldsOf(can['sessionCapabilities']) ?? {};
  const prompt = fieldsOf(can['promptCapabilities']) ?? {};
  const mcp = fieldsOf(can['mcpCapabilities']) ?? {};
  const ours = fieldsOf(fieldsOf(can['_meta'])?.['throughline']);
  return {
    abilities: {
      load: can['loadSession'] === true,
      resume: isOn(session['resume']),
      fork: isOn(session['fork']),
      list: isOn(session['list']),
      close: isOn(session['close']),
      delete: isOn(session['delete']),
      images: prompt['image'] === true,
      audio: prompt['audio'] === true,
      embedded: prompt['embeddedContext'] === true,
      signOut: isOn(fieldsOf(can['auth'])?.['logout']),
      authMethods: listOf(fields['authMethods']).flatMap(authMethodOf),
    },
    moreFolders: isOn(session['additionalDirectories']),
    mcp: { http: mcp['http'] === true, sse: mcp['sse'] === true },
    takesPath: ours?.['path'] === true,
    about: aboutOf(ours?.['about']),
    called: calledIn(fieldsOf(fields['agentInfo'])),
  };
}

function aboutOf(value: unknown): AboutAgent | null {
  const about = fieldsOf(value);
  const words = textOf(about?.['words']);
  return words === undefined
    ? null
    : { words, examples: listOf(about?.['examples']).filter(one => typeof one === 'string') };
}

function calledIn(info: ReturnType<typeof fieldsOf>): string | null {
  const name = textOf(info?.['title']) ?? textOf(info?.['name']);
  const version = textOf(info?.['version']);
  if (name === undefined) return null;
  return plainText(version === undefined ? name : `${name} ${version}`)
    .replaceAll(/\s+/g, ' ')
    .slice(0, 100);
}
