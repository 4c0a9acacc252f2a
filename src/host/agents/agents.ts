// The agents of this window: the built-in ones, those that a person set up in settings that no workspace can write, and the
// well-known ones that are on this machine. Promises: nothing of an agent is loaded before it is asked for; each program is
// one process however many sessions it has; what is taken out of the settings is stopped; in a restricted workspace only
// the scout is there.

import { workspace } from 'vscode';
import { AgentError } from '../../core/agentError.ts';
import type { AgentProgram } from '../../core/agents.ts';
import type { AgentRef } from '../../model/message.ts';
import type { AgentWindow } from '../../node/agentProgram.ts';
import type { RetirableProgram } from '../../node/acp/program.ts';
import { typedAs } from './adding/commandWords.ts';
import type { ConfiguredAgent } from './configuredAgents.ts';
import { onceEach } from '../once.ts';
import type { EntryGate } from './entryGate.ts';
import type { FoundAgents } from './foundAgents.ts';
import { configuredAgents, hasModels, usualAgent } from '../personSettings.ts';
import type { Report } from '../report.ts';
import { programOf } from './secretDestination.ts';
import type { Secrets } from './secrets.ts';
import type { SettingsEntry } from './settingsEntry.ts';

export interface BuiltIn {
  readonly ref: AgentRef;
  readonly detail: string;
  readonly load: (of: AgentWindow) => Promise<RetirableProgram>;
}

export interface AgentsPorts {
  /** The scout, which is always there, and the one that talks to the person's models. */
  readonly builtIn: { readonly scout: BuiltIn; readonly models: BuiltIn };
  readonly found: FoundAgents;
  /** Whether there is a model that may be used, though nobody connected one. */
  readonly modelsHere: () => Promise<boolean>;
  /** What was chosen in this workspace. */
  readonly chosen: { readonly get: () => string | undefined; readonly set: (id: string) => Promise<void> };
  readonly window: AgentWindow;
  readonly report: Report;
  readonly secrets: Secrets;
  readonly gate: EntryGate;
  /** Whether the MCP servers that each agent is given have to be asked about. */
  readonly serversAskFirst: () => Promise<boolean>;
}

/** An agent that nothing was asked of for so long is stopped, where it can take up its sessions again. */
const idleAfter = 15 * 60_000;

/** How an agent came here. */
export type Origin = 'built-in' | 'settings' | 'machine';

export interface ListedAgent extends AgentRef {
  readonly origin: Origin;
  /** The program that is started; null for a built-in one. */
  readonly command: string | null;
  /** What there is to know of it where one is chosen. */
  readonly detail: string;
}

export class Agents {
  private readonly builtIn = new Map<BuiltIn, Promise<RetirableProgram>>();
  private readonly programs = new Map<string, Promise<RetirableProgram>>();
  private modelsSeen = false;
  private readonly ports: AgentsPorts;

  constructor(ports: AgentsPorts) {
    this.ports = ports;
  }

  /** The one of that id, where it is here and may run; else the one that new sessions begin with. */
  async get(id: string | null): Promise<AgentProgram> {
    const found = await this.ports.found.get();
    const lineOf = (one: string) => (workspace.isTrusted ? (configuredAgents().get(one) ?? found.get(one)) : undefined);
    const builtIn = (one: string) => this.builtInHere().find(({ ref }) => ref.id === one);
    const wanted = id ?? (await this.usual(one => builtIn(one) !== undefined || lineOf(one) !== undefined));
    const line = builtIn(wanted) ? undefined : lineOf(wanted);
    if (!line) return this.loadBuiltIn(builtIn(wanted) ?? this.ports.builtIn.scout);
    const make = () => this.candidate(wanted, line, configuredAgents().has(wanted));
    return onceEach(this.programs, keyOf(wanted, line), make);
  }

  /**
   * A process of its own, apart from those that answer: to be stopped by whoever asked for it. `isEntry` where the settings
   * name it, so that on a remote the person has to agree before it's started.
   */
  async candidate(id: string, line: ConfiguredAgent, isEntry: boolean): Promise<RetirableProgram> {
    const { report, secrets, gate, serversAskFirst } = this.ports;
    const { childProgram } = await import('../../node/agentProgram.ts');
    const { command, args, env } = line;
    const entry: SettingsEntry = { kind: 'agent', name: id, value: line };
    return childProgram(
      {
        ref: { id, name: id },
        asksFirst: async () => (isEntry && (await gate.asksAbout([entry]))) || serversAskFirst(),
        async line() {
          const refusal = isEntry ? await gate.refusal(entry, true) : null;
          if (refusal !== null) throw new AgentError('cannot-start', refusal);
          // A secret that was set meanwhile counts.
          return { command, args, env: await secrets.resolveAll(env, programOf(line)) };
        },
        async inTerminal(terminal, signal) {
          const { inTerminal } = await import('./agentActions.ts');
          return inTerminal(id, terminal, signal);
        },
        idleAfter,
        onWarning: words => report.warn(`${id}: ${words}`),
      },
      this.ports.window,
    );
  }

  /** The person chose it: they are asked about it now, where they have to be. Throws AgentError if they don't agree. */
  async admit(id: string): Promise<void> {
    const value = workspace.isTrusted ? configuredAgents().get(id) : undefined;
    const refusal = value ? await this.ports.gate.refusal({ kind: 'agent', name: id, value }, true) : null;
    if (refusal !== null) throw new AgentError('cannot-start', refusal);
  }

  list(): readonly ListedAgent[] {
    const builtIn = this.builtInHere().map(({ ref, detail }) => {
      return { ...ref, origin: 'built-in' as const, command: null, detail };
    });
    return [...builtIn, ...this.programsHere()];
  }

  /** Those that somebody set up or that are on this machine. */
  programsHere(): readonly ListedAgent[] {
    if (!workspace.isTrusted) return [];
    const settings = configuredAgents();
    const found = [...this.ports.found.last].filter(([id]) => !settings.has(id));
    const listed =
      (origin: Origin) =>
      ([id, { command, args }]: readonly [string, ConfiguredAgent]) => ({
        id,
        name: id,
        origin,
        command,
        detail: typedAs(command, args),
      });
    return [...[...settings].map(listed('settings')), ...found.map(listed('machine'))];
  }

  /** There is no program and no model, as far as it was looked: nobody but the scout answers. */
  get isScoutAlone(): boolean {
    return this.programsHere().length === 0 && !this.modelsSeen && !hasModels();
  }

  /** The person's own, those of VS Code, or those on this machine that the person agreed to. */
  async hasModels(): Promise<boolean> {
    return hasModels() || (await this.ports.modelsHere());
  }

  /** How it is started; undefined for the built-in one. */
  lineOf(id: string): ConfiguredAgent | undefined {
    return configuredAgents().get(id) ?? this.ports.found.last.get(id);
  }

  /** New sessions of this workspace begin with it. */
  choose(id: string): Promise<void> {
    return this.ports.chosen.set(id);
  }

  /** The settings changed: what is not in them any more is stopped. */
  async settingsChanged(): Promise<void> {
    const here = [...configuredAgents(), ...this.ports.found.last];
    const wanted = new Set(here.map(([id, line]) => keyOf(id, line)));
    const gone = [...this.programs].filter(([key]) => !wanted.has(key));
    for (const [key] of gone) this.programs.delete(key);
    await Promise.allSettled(gone.map(async ([, program]) => (await program).retire()));
  }

  async stop(): Promise<void> {
    const all = [...this.programs.values(), ...this.builtIn.values()];
    await Promise.allSettled(all.map(async program => (await program).stop()));
  }

  /** What a person chose counts before what happens to be there, and what they chose here before what they chose once. */
  private async usual(isHere: (id: string) => boolean): Promise<string> {
    const { builtIn, chosen, found, modelsHere } = this.ports;
    const wanted = [chosen.get() ?? '', usualAgent(), ...configuredAgents().keys()];
    const known = wanted.find(id => id !== '' && isHere(id));
    if (known !== undefined) return known;
    const models = builtIn.models.ref.id;
    if (isHere(models)) {
      if (hasModels()) return models;
      this.modelsSeen = await modelsHere();
      if (this.modelsSeen) return models;
    }
    return [...found.last.keys()].find(isHere) ?? builtIn.scout.ref.id;
  }

  private builtInHere(): readonly BuiltIn[] {
    const { scout, models } = this.ports.builtIn;
    return workspace.isTrusted ? [scout, models] : [scout];
  }

  private loadBuiltIn(one: BuiltIn): Promise<RetirableProgram> {
    return onceEach(this.builtIn, one, () => one.load(this.ports.window));
  }
}

/** What was changed in the settings is another program. */
function keyOf(id: string, line: ConfiguredAgent): string {
  return JSON.stringify([id, line]);
}
