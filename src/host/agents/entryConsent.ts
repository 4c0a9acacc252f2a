// Whether an entry of the settings may be used where the settings may not be the person's: on a remote, whose settings a
// container file or a repository can write. Promises: each entry is used only after the person agreed to it as it is, and
// any change asks again; callers that ask at the same time share one question. A bundle of its own, loaded on remotes only
// or when a secret is asked about.

import type { Memento } from 'vscode';
import { ask } from '../notify/messages.ts';
import type { QuestionQueue } from './questionQueue.ts';
import type { SecretQuestion, Secrets } from './secrets.ts';
import { destinationOf, entryHash, secretsOf, type EntryKind, type SettingsEntry } from './settingsEntry.ts';
import { entryQuestion, secretQuestion } from './useQuestions.ts';

export interface EntryConsentPorts {
  readonly state: Memento;
  readonly secrets: Pick<Secrets, 'givenFor' | 'bindUnbound'>;
  readonly queue: QuestionQueue;
  readonly isTrusted: () => boolean;
}

type Decision = 'use' | 'dontUse' | 'notNow' | 'tooLong';

const decisionsKey = 'entryDecisions';

/** Agents are asked about again when a person chooses them or sends to them; the others come with every session. */
const keepsRefusal: { readonly [kind in EntryKind]: boolean } = { agent: false, model: true, mcpServer: true };

export class EntryConsent {
  private readonly ports: EntryConsentPorts;
  private readonly asking = new Map<string, Promise<Decision>>();

  constructor(ports: EntryConsentPorts) {
    this.ports = ports;
  }

  /** Why it can't be used, as sentences for a person; null where it can. Asks only where `mayAsk`. */
  async refusal(entry: SettingsEntry, mayAsk: boolean): Promise<string | null> {
    if (!this.ports.isTrusted()) return `${named(entry)} isn’t used in Restricted Mode. Trust the workspace first.`;
    const decided = this.decided(entryHash(entry));
    if (decided === undefined && !mayAsk)
      return `You haven’t agreed to use ${namedInside(entry)} yet. You’re asked when you send something in a new session.`;
    const decision = decided === undefined ? await this.shared(entry) : decided ? 'use' : 'dontUse';
    return decision === 'use' ? null : refusalWords(entry, decision);
  }

  /** Whether using it would ask the person. */
  isUndecided(entry: SettingsEntry): boolean {
    return this.ports.isTrusted() && this.decided(entryHash(entry)) === undefined;
  }

  /** The person wrote it themselves, with us. */
  async agree(entry: SettingsEntry): Promise<void> {
    await this.keep(entryHash(entry), true);
    await this.ports.secrets.bindUnbound(secretsOf(entry), destinationOf(entry));
  }

  private shared(entry: SettingsEntry): Promise<Decision> {
    const hash = entryHash(entry);
    let asking = this.asking.get(hash);
    if (!asking) {
      asking = this.ports.queue.next(() => this.question(entry, hash)).finally(() => this.asking.delete(hash));
      this.asking.set(hash, asking);
    }
    return asking;
  }

  private async question(entry: SettingsEntry, hash: string): Promise<Decision> {
    const question = entryQuestion(entry, name => this.ports.secrets.givenFor(name));
    if (!question) return 'tooLong';
    const choice = await ask(question);
    if (choice === 'Use') {
      await this.agree(entry);
      return 'use';
    }
    if (choice === undefined) return 'notNow';
    if (keepsRefusal[entry.kind]) await this.keep(hash, false);
    return 'dontUse';
  }

  private decided(hash: string): boolean | undefined {
    const decision = this.decisions()[hash];
    return typeof decision === 'boolean' ? decision : undefined;
  }

  private async keep(hash: string, decision: boolean): Promise<void> {
    await this.ports.state.update(decisionsKey, { ...this.decisions(), [hash]: decision });
  }

  private decisions(): { readonly [hash: string]: unknown } {
    const kept = this.ports.state.get<unknown>(decisionsKey);
    return typeof kept === 'object' && kept !== null ? (kept as { readonly [hash: string]: unknown }) : {};
  }
}

/** Asks whether a secret may go somewhere new. What can't be shown whole gets none. */
export async function askAboutSecret(question: SecretQuestion, queue: QuestionQueue): Promise<boolean> {
  const shown = secretQuestion(question);
  return shown !== null && (await queue.next(() => ask(shown))) === 'Use';
}

const kindNames: { readonly [kind in EntryKind]: string } = {
  agent: 'the agent',
  model: 'the model server',
  mcpServer: 'the MCP server',
};

const settings: { readonly [kind in EntryKind]: string } = {
  agent: 'throughline.agents',
  model: 'throughline.models',
  mcpServer: 'throughline.mcpServers',
};

function refusalWords(entry: SettingsEntry, decision: Exclude<Decision, 'use'>): string {
  const setting = `the setting “${settings[entry.kind]}”`;
  const unused = `${named(entry)} isn’t used`;
  switch (decision) {
    case 'dontUse':
      return keepsRefusal[entry.kind]
        ? `${unused}, because you chose “Don’t Use”. To be asked again, change its entry in ${setting}.`
        : `${unused}, because you chose “Don’t Use”. To be asked again, choose it or send something.`;
    case 'notNow':
      return `${unused} until you agree. To be asked again, ${entry.kind === 'agent' ? 'choose it or send something' : 'send something in a new session'}.`;
    case 'tooLong':
      return `${unused}, because its entry is too long to show you all of it. Shorten it in ${setting}.`;
  }
}

function named(entry: SettingsEntry): string {
  const words = namedInside(entry);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function namedInside({ kind, name }: SettingsEntry): string {
  return `${kindNames[kind]} “${name.length > 80 ? `${name.slice(0, 80)}…` : name}”`;
}
