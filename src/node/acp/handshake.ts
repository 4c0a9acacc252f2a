// The first exchange with an agent: what this client says that it can do, and what may be believed of the answer. The
// SDK validates no response, so everything here is read by hand: what has the wrong shape is an ability that is not
// there; an agent of another protocol version cannot be used.

import { PROTOCOL_VERSION, type ClientCapabilities, type InitializeRequest } from '@agentclientprotocol/sdk';
import { AgentError, type AgentAbilities, type AuthMethod } from '../../core/agents.ts';
import type { AboutAgent, Json } from '../../model/message.ts';
import type { ClientHandlers } from './clientHandlers.ts';
import { fieldsOf, isOn, listOf, textOf, type Fields } from './fields.ts';

export interface ClientInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface Handshake {
  readonly abilities: AgentAbilities;
  readonly moreFolders: boolean;
  /** What an agent that knows this product says of itself. */
  readonly takesPath: boolean;
  readonly about: AboutAgent | null;
}

export function greeting(info: ClientInfo, handlers: ClientHandlers, more: ClientCapabilities): InitializeRequest {
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
      ...more,
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
      authMethods: listOf(fields['authMethods']).flatMap(authMethodOf),
    },
    moreFolders: isOn(session['additionalDirectories']),
    takesPath: ours?.['path'] === true,
    about: aboutOf(ours?.['about']),
  };
}

function authMethodOf(value: Json): readonly AuthMethod[] {
  const fields: Fields = fieldsOf(value) ?? {};
  const { id, name, description, type } = fields;
  if (typeof id !== 'string') return [];
  // Before ACP had a type for it, agents said in `_meta` that a person signs in at their command line, and still do.
  const inTerminal = type === 'terminal' || isOn(fieldsOf(fields['_meta'])?.['terminal-auth']);
  return [
    {
      id,
      name: textOf(name) ?? id,
      description: textOf(description) ?? '',
      kind: inTerminal ? 'terminal' : 'agent',
    },
  ];
}

function aboutOf(value: unknown): AboutAgent | null {
  const about = fieldsOf(value);
  const words = textOf(about?.['words']);
  return words === undefined
    ? null
    : { words, examples: listOf(about?.['examples']).filter(one => typeof one === 'string') };
}
