// The agents of this window: the built-in one, and those that a person set up in settings that no workspace can write.
// Promises: nothing of an agent is loaded before it is asked for; each program is one process however many sessions it
// has; what is taken out of the settings is stopped; in a restricted workspace only the built-in one is there.

import { window, workspace, type QuickPickItem } from 'vscode';
import type { AgentProgram } from '../core/agents.ts';
import type { Clock } from '../core/ports.ts';
import type { AgentRef } from '../model/message.ts';
import type { Report } from './report.ts';

export interface AgentsPorts {
  readonly builtIn: { readonly ref: AgentRef; readonly load: () => Promise<AgentProgram> };
  readonly clock: Clock;
  readonly report: Report;
  readonly version: string;
  readonly homeFolder: string;
  readonly newPermissionId: () => string;
}

interface Configured {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/** An agent that nothing was asked of for so long is stopped, where it can take up its sessions again. */
const idleAfter = 15 * 60_000;

export class Agents {
  private builtIn: Promise<AgentProgram> | null = null;
  private readonly programs = new Map<string, Promise<AgentProgram>>();
  private readonly ports: AgentsPorts;

  constructor(ports: AgentsPorts) {
    this.ports = ports;
  }

  /** The one of that id, where it is set up and may run here; else the one that new sessions begin with. */
  async get(id: string | null): Promise<AgentProgram> {
    const wanted = id ?? usual();
    const configured = workspace.isTrusted ? configuredAgents().get(wanted) : undefined;
    if (wanted === this.ports.builtIn.ref.id || !configured) return this.loadBuiltIn();
    const key = keyOf(wanted, configured);
    let program = this.programs.get(key);
    if (!program) this.programs.set(key, (program = this.load(wanted, configured)));
    return program;
  }

  list(): readonly AgentRef[] {
    const own = workspace.isTrusted ? [...configuredAgents().keys()].map(id => ({ id, name: id })) : [];
    return [this.ports.builtIn.ref, ...own];
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
    await Promise.allSettled(gone.map(async ([, program]) => (await program).stop()));
  }

  async stop(): Promise<void> {
    const all = [...this.programs.values(), ...(this.builtIn ? [this.builtIn] : [])];
    await Promise.allSettled(all.map(async program => (await program).stop()));
  }

  private loadBuiltIn(): Promise<AgentProgram> {
    return (this.builtIn ??= this.ports.builtIn.load());
  }

  private async load(id: string, { command, args, env }: Configured): Promise<AgentProgram> {
    const { clock, report, version, homeFolder, newPermissionId } = this.ports;
    const [{ acpProgram }, { openChild }, { environmentFor }] = await Promise.all([
      import('../node/acp/program.ts'),
      import('../node/acp/childProcess.ts'),
      import('../node/acp/commandLine.ts'),
    ]);
    const onWarning = (words: string) => report.warn(`${id}: ${words}`);
    return acpProgram({
      ref: { id, name: id },
      takesPath: false,
      open: () =>
        openChild({ command, args, env: environmentFor(process.env, env), cwd: homeFolder }, clock, onWarning),
      clock,
      clientInfo: { name: 'throughline', title: 'Throughline', version },
      homeFolder,
      newPermissionId,
      idleAfter,
      onWarning,
    });
  }
}

/** What was changed in the settings is another program. */
function keyOf(id: string, configured: Configured): string {
  return JSON.stringify([id, configured]);
}

/** Only what a person wrote for this machine: a value that came with a workspace is not looked at. */
function fromPerson(name: string): unknown {
  return workspace.getConfiguration('throughline').inspect(name)?.globalValue;
}

/** Empty where it is the built-in one. */
function usual(): string {
  const chosen = fromPerson('agent');
  return typeof chosen === 'string' ? chosen : '';
}

function configuredAgents(): ReadonlyMap<string, Configured> {
  const value = fromPerson('agents');
  const found = new Map<string, Configured>();
  if (typeof value !== 'object' || value === null) return found;
  for (const [id, one] of Object.entries(value as { readonly [id: string]: unknown })) {
    const fields = (one ?? {}) as { readonly [field: string]: unknown };
    const { command, args = [], env = {} } = fields;
    if (typeof command !== 'string' || command === '' || !Array.isArray(args)) continue;
    if (!args.every(arg => typeof arg === 'string') || typeof env !== 'object' || env === null) continue;
    const own = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    found.set(id, { command, args, env: Object.fromEntries(own) });
  }
  return found;
}
