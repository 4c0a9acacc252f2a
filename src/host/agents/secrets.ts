// What a person keeps for their agents that nobody else may read: keys and tokens, by a name. Promises: values are only in
// VS Code's secret storage and in what `resolve` gives back; they are in no error and no log, and `remove` takes them out of
// what others say. A value goes only to the destinations that the person gave it for, and they are asked about any other.
// What is kept beside the values are their names and these destinations.

import type { Memento, SecretStorage } from 'vscode';
import { AgentError } from '../../core/agentError.ts';
import { secretRemover } from '../../model/withoutSecrets.ts';
import { destinationKey, shownDestination, storedDestination, type SecretDestination } from './secretDestination.ts';

const prefix = 'throughline.secret.';
const namesKey = 'secretNames';
const destinationsKey = 'secretDestinations';

export interface SecretsPorts {
  readonly storage: SecretStorage;
  readonly state: Memento;
  /** Settings that name a secret may not be the person's: also the first destination of a secret is asked about. */
  readonly isRemote: boolean;
  /** Whether the person agrees. */
  readonly ask: (question: SecretQuestion) => Promise<boolean>;
}

/** Whether a secret may go somewhere where it has not been. It has no value in it. */
export interface SecretQuestion {
  readonly name: string;
  readonly givenFor: readonly SecretDestination[];
  readonly to: SecretDestination;
}

export class Secrets {
  private readonly ports: SecretsPorts;
  /** Every value that this window has seen. Whoever was given one may repeat it much later. */
  private readonly known = new Set<string>();
  private remover = secretRemover([]);
  /** Open questions, shared by all who wait for the same answer. */
  private readonly asking = new Map<string, Promise<boolean>>();

  constructor(ports: SecretsPorts) {
    this.ports = ports;
  }

  /** In the order of the alphabet. */
  names(): readonly string[] {
    const kept = this.ports.state.get<unknown>(namesKey);
    return Array.isArray(kept) ? kept.filter((name): name is string => isSecretName(name)).toSorted() : [];
  }

  /** `givenFor` is where the person gives it for with this very act. The destinations from before stay. */
  async set(name: string, value: string, givenFor?: SecretDestination): Promise<void> {
    if (!isSecretName(name)) throw new Error(whyNoName);
    this.know(value);
    await this.ports.storage.store(prefix + name, value);
    if (!this.names().includes(name)) await this.ports.state.update(namesKey, [...this.names(), name].toSorted());
    if (givenFor) await this.bind(name, givenFor);
  }

  async delete(name: string): Promise<void> {
    await this.ports.storage.delete(prefix + name);
    await this.ports.state.update(
      namesKey,
      this.names().filter(one => one !== name),
    );
    const left = Object.entries(this.destinations()).filter(([one]) => one !== name);
    await this.ports.state.update(destinationsKey, Object.fromEntries(left));
  }

  /** Where the person gave it for; empty where it is not bound to anything yet. */
  givenFor(name: string): readonly SecretDestination[] {
    const kept = this.destinations()[name];
    return Array.isArray(kept) ? kept.flatMap(one => storedDestination(one) ?? []) : [];
  }

  /** Those of these names that are set and not bound yet are bound. */
  async bindUnbound(names: readonly string[], to: SecretDestination): Promise<void> {
    const known = this.names();
    for (const name of names) if (known.includes(name) && this.givenFor(name).length === 0) await this.bind(name, to);
  }

  /**
   * With the values in the place of each `${secret:NAME}`. Throws AgentError for a name that is not set, and for one that
   * the person doesn't let go there, in words that name it; what a value itself holds is left as it is. Without `mayAsk` it
   * also throws where the person would have to be asked.
   */
  async resolve(text: string, to: SecretDestination, mayAsk = true): Promise<string> {
    let resolved = '';
    let from = 0;
    for (const { 0: whole, 1: name = '', index } of text.matchAll(secretReference)) {
      const value = isSecretName(name) ? await this.ports.storage.get(prefix + name) : undefined;
      if (value === undefined)
        throw new AgentError(
          'cannot-start',
          `The secret “${name}” is not set. Set it with “Throughline: Manage Secrets…”.`,
        );
      if (!(await this.mayGo(name, to, mayAsk))) throw notGiven(name, to);
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
  async resolveAll(
    values: { readonly [name: string]: string },
    to: SecretDestination,
  ): Promise<{ readonly [name: string]: string }> {
    const resolved: (readonly [string, string])[] = [];
    // One after the other, so that nothing more is asked after a no.
    for (const [name, text] of Object.entries(values)) resolved.push([name, await this.resolve(text, to)]);
    return Object.fromEntries(resolved);
  }

  /** Whether resolving one of these for this destination would ask the person. */
  wouldAsk(names: readonly string[], to: SecretDestination): boolean {
    const known = this.names();
    return names.some(name => known.includes(name) && this.judged(name, to) === 'ask');
  }

  /** The only place that decides where a value goes. */
  private judged(name: string, to: SecretDestination): 'bound' | 'bindsNow' | 'ask' {
    const givenFor = this.givenFor(name);
    if (givenFor.some(one => destinationKey(one) === destinationKey(to))) return 'bound';
    return givenFor.length === 0 && !this.ports.isRemote ? 'bindsNow' : 'ask';
  }

  private async mayGo(name: string, to: SecretDestination, mayAsk: boolean): Promise<boolean> {
    const judged = this.judged(name, to);
    if (judged === 'bindsNow') await this.bind(name, to);
    if (judged !== 'ask') return true;
    if (!mayAsk) return false;
    const question = `${name} ${destinationKey(to)}`;
    let asking = this.asking.get(question);
    if (!asking) {
      asking = this.askAndBind(name, to).finally(() => this.asking.delete(question));
      this.asking.set(question, asking);
    }
    return asking;
  }

  private async askAndBind(name: string, to: SecretDestination): Promise<boolean> {
    const agreed = await this.ports.ask({ name, givenFor: this.givenFor(name), to });
    if (agreed) await this.bind(name, to);
    return agreed;
  }

  private async bind(name: string, to: SecretDestination): Promise<void> {
    const before = this.givenFor(name);
    if (before.some(one => destinationKey(one) === destinationKey(to))) return;
    await this.ports.state.update(destinationsKey, { ...this.destinations(), [name]: [...before, to] });
  }

  private destinations(): { readonly [name: string]: unknown } {
    const kept = this.ports.state.get<unknown>(destinationsKey);
    return typeof kept === 'object' && kept !== null ? (kept as { readonly [name: string]: unknown }) : {};
  }

  private know(value: string): void {
    if (this.known.has(value)) return;
    this.known.add(value);
    this.remover = secretRemover(this.known);
  }
}

const secretReference = /\$\{secret:([^}]*)\}/g;

/** The secrets that a text names, each once. */
export function secretsNamedIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap(text => [...text.matchAll(secretReference)].map(([, name = '']) => name));
  return [...new Set(names)];
}

function notGiven(name: string, to: SecretDestination): AgentError {
  const where = shownDestination(to);
  const short = where.length > 200 ? `${where.slice(0, 200)}…` : where;
  const what = to.kind === 'origin' ? `sent to ${short}` : `given to the program ${short}`;
  return new AgentError(
    'cannot-start',
    `The secret “${name}” was not ${what}. Try again and choose “Use”, or name another secret in the settings.`,
  );
}

export const whyNoName = 'A name has letters, digits, “_”, “.” and “-” only.';

export function isSecretName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}
