// A window with one conversation, for the contracts: real history on a real disk, the real client, a project folder, the
// agent as it is, and between them a wire that is seen.

import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProgram } from '../../../src/core/agents.ts';
import { noRules } from '../support/noRules.ts';
import { judgeIn } from '../support/judge.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { SendOptions } from '../../../src/core/conversation/terms.ts';
import type { StoredSession } from '../../../src/core/history/history.ts';
import type { Held, Permission } from '../../../src/model/agentState.ts';
import { textOf, type BlobRef, type Message } from '../../../src/model/message.ts';
import type { Transcript, TranscriptEvent } from '../../../src/model/transcript.ts';
import { elicitations } from '../../../src/node/acp/elicitation.ts';
import { acpProgram } from '../../../src/node/acp/program.ts';
import { agentTerminals } from '../../../src/node/acp/terminals/agentTerminals.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { agentFiles } from '../../../src/node/files/agentFiles.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { engineFiles, ids, openTestHistory, temporaryFolder, type EngineFiles } from '../support/history.ts';
import type { Backstage, Contender } from './contender.ts';
import type { Case } from './runner.ts';
import { Wire } from './wire.ts';

interface Setting {
  /** Of the history. */
  readonly folder: string;
  readonly project: string;
  readonly backstage: Backstage;
  readonly history: OpenedHistory;
  readonly engine: EngineFiles;
}

export class Window {
  readonly project: string;
  readonly wire = new Wire();
  readonly events: TranscriptEvent[] = [];
  /** Why prompts were held back, as far as `say` answered that. */
  readonly questions: Held[] = [];
  program: AgentProgram;
  conversation: Conversation;
  readonly backstage: Backstage;
  private history: OpenedHistory;
  private readonly t: Case;
  private readonly engine: EngineFiles;
  private readonly folder: string;
  private readonly id: string;

  static async open(t: Case, contender: Contender, engine = engineFiles): Promise<Window> {
    const folder = temporaryFolder(t);
    const project = join(realpathSync(temporaryFolder(t)), 'project');
    mkdirSync(project);
    for (let n = 0; n < 9; n++) {
      const lines = Array.from({ length: 30 }, (_, at) => `line ${at} of zebra${n} and of zebra${(n + 1) % 9}`);
      writeFileSync(join(project, `zoo${n}.txt`), `${lines.join('\n')}\n`);
    }
    const history = await openTestHistory(folder, { engine });
    const backstage = await contender.setUp(t, project);
    return new Window(t, contender.id, { folder, project, backstage, history, engine });
  }

  private constructor(t: Case, id: string, from: Setting) {
    this.t = t;
    this.id = id;
    this.folder = from.folder;
    this.project = from.project;
    this.backstage = from.backstage;
    this.history = from.history;
    this.engine = from.engine;
    this.program = this.agent();
    this.conversation = this.converse();
  }

  /** A program of the agent on the same disk; not started. */
  agent(id = this.id): AgentProgram {
    const warn = (words: string) => this.t.diagnostic(words);
    const { about, takesPath } = this.backstage;
    const guard = guardIn(() => [this.project]);
    const program = acpProgram({
      ref: { id, name: 'The agent' },
      ...(about ? { about } : {}),
      ...(takesPath ? { takesPath } : {}),
      open: () => this.wire.open(() => this.backstage.open(warn)),
      clock: systemClock,
      clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
      handlers: desk => ({
        ...agentFiles(guard, {
          editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
          ask: () => Promise.resolve(false),
        }),
        ...elicitations(desk, { newId: ids.message }),
        ...agentTerminals({
          folders: () => [this.project],
          env: process.env,
          newTerminalId: ids.message,
          clock: systemClock,
          onWarning: warn,
        }),
      }),
      homeFolder: this.project,
      newPermissionId: ids.message,
      onWarning: warn,
    });
    this.t.after(() => program.stop());
    return program;
  }

  /** One more conversation of this window, with the same agent. */
  converse(): Conversation {
    return this.watched({ id: ids.session() });
  }

  /** The window goes with its agent, and another is opened on the same history. */
  async reload(whileClosed: () => void | Promise<void> = () => {}): Promise<void> {
    await this.conversation.leave();
    await this.history.close();
    await this.program.stop();
    await whileClosed();
    this.history = await openTestHistory(this.folder, { engine: this.engine });
    this.program = this.agent();
    const stored = await this.history.open(this.conversation.session);
    assert.ok(stored);
    this.conversation = this.watched({ stored });
  }

  async send(prompt: string, options: SendOptions = {}, conversation = this.conversation): Promise<void> {
    assert.deepEqual(await conversation.send(prompt, options), { sent: true });
  }

  /** Sends it, and gives the answer when the turn is over. What the agent asks for is allowed once; where it is held back, a transcript will do. */
  async say(prompt: string, options: SendOptions = {}, conversation = this.conversation): Promise<Message> {
    const stop = conversation.onDidChange(event => {
      if (event.type === 'heldChanged' && event.held) this.goOnWith(event.held, conversation);
      if (event.type !== 'permissionsChanged') return;
      for (const { id, choices } of event.permissions)
        conversation.answerPermission(id, choices.find(({ kind }) => kind === 'allow_once')?.id ?? '');
    });
    await this.send(prompt, options, conversation);
    const message = await over(conversation);
    stop();
    return message;
  }

  /** A person who goes on with a transcript where that is a choice. */
  private goOnWith(held: Held, conversation: Conversation): void {
    this.questions.push(held);
    conversation.answerHeld(held.kind === 'less' || held.kind === 'failed' ? 'transcript' : 'cancel');
  }

  /** What the agent asks for now. */
  async permission(): Promise<Permission> {
    const { permissions } = await when(this.conversation, ({ permissions: open, turn }) => open.length > 0 || !turn);
    const [permission] = permissions;
    assert.ok(permission, 'the turn was over without a question');
    return permission;
  }

  /** The first words of the answer that is being given are there. */
  async firstWords(conversation = this.conversation): Promise<void> {
    await when(conversation, ({ messages, turn }) => {
      const last = messages.at(-1);
      return turn !== null && last !== undefined && last.id === turn.message && textOf(last) !== '';
    });
  }

  /** The conversation as history has it now. */
  async stored(): Promise<StoredSession | undefined> {
    return this.history.open(this.conversation.session);
  }

  /** History, as a window sees it that is opened now, is what is shown here, byte for byte. */
  async isKept(conversation = this.conversation): Promise<void> {
    const other = await openTestHistory(this.folder, { engine: this.engine });
    const path = (await other.open(conversation.session))?.path;
    assert.deepEqual(
      await withBytes(path, ref => other.blob(conversation.session, ref)),
      conversation.transcript.messages,
    );
    await other.close();
  }

  private watched(start: ConstructorParameters<typeof Conversation>[2]): Conversation {
    const place = () => ({ cwd: this.project, alsoIn: [] });
    const ports = {
      history: this.history,
      clock: systemClock,
      ids,
      place,
      rules: noRules,
      judgePaths: judgeIn(),
      files: null,
    };
    const conversation = new Conversation(ports, this.program, start);
    conversation.onDidChange(event => this.events.push(event));
    return conversation;
  }
}

/** What history gives as a place is here as what is there. */
async function withBytes(value: unknown, fetch: (ref: BlobRef) => Promise<Uint8Array>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map(one => withBytes(one, fetch)));
  if ('sha256' in value && 'size' in value) return fetch(value as BlobRef);
  const fields = Object.entries(value).map(async ([name, one]) => [name, await withBytes(one, fetch)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

/** As soon as it is so. */
export function when(conversation: Conversation, isSo: (transcript: Transcript) => boolean): Promise<Transcript> {
  if (isSo(conversation.transcript)) return Promise.resolve(conversation.transcript);
  return new Promise(resolve => {
    const stop = conversation.onDidChange(() => {
      if (!isSo(conversation.transcript)) return;
      stop();
      resolve(conversation.transcript);
    });
  });
}

/** The last message, when the turn is over and everything is saved. */
export async function over(conversation: Conversation): Promise<Message> {
  const { messages } = await when(conversation, ({ turn }) => turn === null);
  const last = messages.at(-1);
  assert.ok(last);
  return last;
}
