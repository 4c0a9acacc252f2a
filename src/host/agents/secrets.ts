// What a person keeps for their agents that nobody else may read: keys and tokens, by a name. Promises: values are only in
// VS Code's secret storage and in what `resolve` gives back; they are in no error and no log, and `remove` takes them out of
// what others say. What is kept beside them is the list of their names.

import type { Memento, SecretStorage } from 'vscode';
import { AgentError } from '../../core/agentError.ts';
import { secretRemover } from '../../model/withoutSecrets.ts';

const prefix = 'throughline.secret.';
const namesKey = 'secretNames';

export class Secrets {
  private readonly storage: SecretStorage;
  private readonly state: Memento;
  /** Every value that this window has seen. Whoever was given one may repeat it much later. */
  private readonly known = new Set<string>();
  private remover = secretRemover([]);

  constructor(storage: SecretStorage, state: Memento) {
    this.storage = storage;
    this.state = state;
  }

  /** In the order of the alphabet. */
  names(): readonly string[] {
    const kept = this.state.get<unknown>(namesKey);
    return Array.isArray(kept) ? kept.filter((name): name is string => isSecretName(name)).toSorted() : [];
  }

  async set(name: string, value: string): Promise<void> {
    if (!isSecretName(name)) throw new Error(whyNoName);
    this.know(value);
    await this.storage.store(prefix + name, value);
    if (!this.names().includes(name)) await this.state.update(namesKey, [...this.names(), name].toSorted());
  }

  async delete(name: string): Promise<void> {
    await this.storage.delete(prefix + name);
    await this.state.update(
      namesKey,
      this.names().filter(one => one !== name),
    );
  }

  /**
   * With the values in the place of each `${secret:NAME}`. Throws AgentError for a name that is not set, in words that name
   * it; what a value itself holds is left as it is.
   */
  async resolve(text: string): Promise<string> {
    let resolved = '';
    let from = 0;
    for (const { 0: whole, 1: name = '', index } of text.matchAll(/\$\{secret:([^}]*)\}/g)) {
      const value = isSecretName(name) ? await this.storage.get(prefix + name) : undefined;
      if (value === undefined)
        throw new AgentError(
          'cannot-start',
          `The secret “${name}” is not set. Set it with “Throughline: Manage Secrets…”.`,
        );
      this.know(value);
      resolved += text.slice(from, index) + value;
      from = index + whole.length;
    }
    return resolved + text.slice(from);
  }

  /** For text of anybody who may have been given a secret, before it is stored, logged or shown. */
  remove(text: string): string {
    return this.remover(text);
  }

  /** Each value of an environment or of headers; names stay as they are. */
  async resolveAll(values: { readonly [name: string]: string }): Promise<{ readonly [name: string]: string }> {
    const resolved = Object.entries(values).map(async ([name, text]) => [name, await this.resolve(text)] as const);
    return Object.fromEntries(await Promise.all(resolved));
  }

  private know(value: string): void {
    if (this.known.has(value)) return;
    this.known.add(value);
    this.remover = secretRemover(this.known);
  }
}

export const whyNoName = 'A name has letters, digits, “_”, “.” and “-” only.';

export function isSecretName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}
