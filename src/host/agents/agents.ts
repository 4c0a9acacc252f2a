// The agents of this window: the built-in one, and those that a person set up in settings that no workspace can write.
// Promises: nothing of an agent is loaded before it is asked for; each program is one process however many sessions it
// has; what is taken out of the settings is stopped; in a restricted workspace only the built-in one is there.

import { window, workspace, type QuickPickItem } from 'vscode';
import type { AgentProgram } from '../../core/agents.ts';
import type { AgentRef } from '../../model/message.ts';
import type { AgentWindow } from '../../node/agentProgram.ts';
import type { RetirableProgram } from '../../node/acp/program.ts';
import type { ConfiguredAgent } from './configuredAgents.ts';
import { configuredAgents, usualAgent } from '../personSettings.ts';
import type { Report } from '../report.ts';
import type { Secrets } from './secrets.ts';
import { inTerminal } from './signInTerminal.ts';

export interface AgentsPorts {
  readonly builtIn: { readonly ref: AgentRef; readonly load: (of: AgentWindow) => Promise<RetirableProgram> };
  readonly window: AgentWindow;
  readonly report: Report;
  readonly secrets: Secrets;
}

/** An agent that nothing was asked of for so long is stopped, where it can take up its sessions again. */
const idleAfter = 15 * 60_000;

export class Agents {
  private builtIn: Promise<RetirableProgram> | null = null;
  private readonly programs = new Map<string, Promise<RetirableProgram>>();
  private readonly ports: AgentsPorts;

  constructor(ports: AgentsPorts) {
    this.ports = ports;
  }

  /** The one of that id, where it is set up and may run here; else the one that new sessions begin with. */
  async get(id: string | null): Promise<AgentProgram> {
    const wanted = id ?? usualAgent();
    const configured = workspace.isTrusted ? configuredAgents().get(wanted) : undefined;
    if (wanted === this.ports.builtIn.ref.id || !configured) return this.loadBuiltIn();
    const key = keyOf(wanted, configured);
    let program = this.programs.get(key);
    if (!program) this.programs.set(key, (program = this.load(wanted, configured)));
    return program;
  }

  list(): readonly AgentRef[] {
    return [this.ports.builtIn.ref, ...this.configured()];
  }

  /** The person's own. */
  configured(): readonly AgentRef[] {
    return workspace.isTrusted ? [...configuredAgents().keys()].map(id => ({ id, name: id })) : [];
  }

  /** The person's choice among them. */
  async pick(current: AgentRef): Promise<AgentProgram | undefined> {
    const items = this.list().map((agent): QuickPickItem & { readonly id: string } => ({
      id: agent.id,
      label: agent.name,
      ...(agent.id === current.id ? { description: 'answers now' } : {}),
      detail: configuredAgents().get(agent.id)?.command ?? 'Built in',
    }));
    const title = 'Which agent answers next?';
    const placeHolder = workspace.isTrusted
      ? 'It is told of the conversation, and the panel says how much'
      : 'In Restricted Mode only the built-in agent answers';
    const picked = await window.showQuickPick(items, { title, placeHolder });
    return picked && this.get(picked.id);
  }

  /** The settings changed: what is not in them any more is stopped. */
  async settingsChanged(): Promise<void> {
    const wanted = new Set([...configuredAgents()].map(([id, configured]) => keyOf(id, configured)));
    const gone = [...this.programs].filter(([key]) => !wanted.has(key));
    for (const [key] of gone) this.programs.delete(key);
    await Promise.allSettled(gone.map(async ([, program]) => (await program).retire()));
  }

  async stop(): Promise<void> {
    const all = [...this.programs.values(), ...(this.builtIn ? [this.builtIn] : [])];
    await Promise.allSettled(all.map(async program => (await program).stop()));
  }

  private loadBuiltIn(): Promise<RetirableProgram> {
    return (this.builtIn ??= this.ports.builtIn.load(this.ports.window));
  }

  private async load(id: string, configured: ConfiguredAgent): Promise<RetirableProgram> {
    const { report, secrets } = this.ports;
    const { childProgram } = await import('../../node/agentProgram.ts');
    const { command, args, env } = configured;
    return childProgram(
      {
        ref: { id, name: id },
        // A secret that was set meanwhile counts.
        line: async () => ({ command, args, env: await secrets.resolveAll(env) }),
        inTerminal: (line, signal) => inTerminal(id, line, signal),
        idleAfter,
        onWarning: words => report.warn(`${id}: ${words}`),
      },
      this.ports.window,
    );
  }
}

/** What was changed in the settings is another program. */
function keyOf(id: string, configured: ConfiguredAgent): string {
  return JSON.stringify([id, configured]);
}
