// "Add Agent…": one that was found on this machine, one of the public registry, or any program that speaks the protocol.
// Promises: nothing runs and nothing is fetched before the person chose it and saw what it would be; it ends with what the
// agent said of itself, and only then is it written to the settings; one step back is always there.

import { basename } from 'node:path';
import { commands, ConfigurationTarget, QuickPickItemKind, ThemeIcon, workspace, type QuickPickItem } from 'vscode';
import { modelsRef } from '../../../agent/refs.ts';
import { configuredAgents } from '../../personSettings.ts';
import type { Report } from '../../report.ts';
import type { Agents } from '../agents.ts';
import { configuredAgentsIn, type ConfiguredAgent } from '../configuredAgents.ts';
import type { EntryGate } from '../entryGate.ts';
import type { LocalModels } from '../localModels.ts';
import type { FoundAgents } from '../foundAgents.ts';
import { abilityWords, bulleted, troubleOf } from './agentWords.ts';
import { commandWords, typedAs } from './commandWords.ts';
import { fromRegistry, type RegistrySource } from './fromRegistry.ts';
import { tryAgent } from './tryAgent.ts';
import { askForText } from '../../notify/inputs.ts';
import { ask, showInfo } from '../../notify/messages.ts';
import { pickOne } from '../../notify/pickers.ts';

export interface AddAgentPorts {
  readonly agents: Agents;
  readonly found: FoundAgents;
  readonly registry: RegistrySource;
  readonly local: () => Promise<Pick<LocalModels, 'offered' | 'decide'>>;
  /** It answers from now on: in the chat that is shown, and in new sessions. */
  readonly use: (id: string) => Promise<void>;
  readonly gate: Pick<EntryGate, 'agree'>;
  readonly report: Report;
}

export interface Candidate {
  readonly name: string;
  readonly line: ConfiguredAgent;
}

type From = 'registry' | 'command' | 'model' | 'local' | Candidate;

export async function addAgent(ports: AddAgentPorts): Promise<void> {
  if (!workspace.isTrusted) return void showInfo(inRestrictedMode);
  for (;;) {
    const from = await askFrom(ports);
    if (from === undefined) return;
    if (from === 'local') {
      await (await ports.local()).decide(true);
      return ports.use(modelsRef.id);
    }
    if (from === 'model') return void commands.executeCommand('throughline.connectModel');
    const candidate = await candidateFrom(from, ports);
    if (candidate && (await addTried(candidate, ports))) return;
  }
}

const inRestrictedMode =
  'In Restricted Mode no agent is started. Trust the workspace, and add it then; the built-in scout answers meanwhile.';

async function askFrom({ found, local }: AddAgentPorts): Promise<From | undefined> {
  const { offered } = await local();
  const here = [...(await found.lookAgain())].filter(([name]) => !configuredAgents().has(name));
  const line = (label: string) => ({ label, kind: QuickPickItemKind.Separator, from: 'command' as const });
  const items: (QuickPickItem & { readonly from: From })[] = [
    ...(here.length > 0 ? [line('Found on this machine')] : []),
    ...here.map(([name, one]) => ({
      label: name,
      detail: typedAs(one.command, one.args),
      from: { name, line: one },
    })),
    ...(offered === null
      ? []
      : [
          {
            label: `Use the models at ${offered}`,
            iconPath: new ThemeIcon('plug'),
            detail: 'A server on this machine',
            from: 'local' as const,
          },
        ]),
    ...(here.length > 0 ? [line('From elsewhere')] : []),
    {
      label: 'From the registry…',
      iconPath: new ThemeIcon('cloud-download'),
      detail: 'The public list of agents, downloaded when you choose this',
      from: 'registry',
    },
    {
      label: 'A model…',
      iconPath: new ThemeIcon('plug'),
      detail: 'For the built-in agent: OpenAI, Anthropic, OpenRouter, Ollama and others',
      from: 'model',
    },
    {
      label: 'Another program…',
      iconPath: new ThemeIcon('terminal'),
      detail: 'Any command that speaks the Agent Client Protocol',
      from: 'command',
    },
  ];
  const picked = await pickOne(items, {
    title: 'Add an agent',
    placeHolder: here.length > 0 ? 'Which one?' : 'No well-known agent was found on this machine. Add one from:',
    matchOnDetail: true,
  });
  return picked?.from;
}

async function candidateFrom(
  from: Exclude<From, 'model' | 'local'>,
  ports: AddAgentPorts,
): Promise<Candidate | undefined> {
  if (from === 'registry') return fromRegistry(ports.registry);
  if (from !== 'command') return from;
  const line = await askCommand();
  if (!line) return undefined;
  const name = await askName(line.command, [...configuredAgents().keys()]);
  return name === undefined ? undefined : { name, line };
}

/** True where nothing is left to ask. */
async function addTried(candidate: Candidate, ports: AddAgentPorts): Promise<boolean> {
  const { agents, gate, report } = ports;
  const { name, line } = candidate;
  for (;;) {
    try {
      const tried = await tryAgent(await agents.candidate(name, line, false), null);
      if (!tried) return false;
      const { called, abilities } = tried.running;
      const detail = [called ?? '', typedAs(line.command, line.args), '', ...bulleted(abilityWords(abilities))];
      const buttons = ['Add and Use', 'Add'] as const;
      const choice = await ask({ severity: 'info', text: `${name} answers.`, detail, buttons });
      if (!choice) return false;
      await save(candidate, gate);
      if (choice === 'Add and Use') await ports.use(name);
      return true;
    } catch (cause) {
      const { sentence, hint } = troubleOf(name, cause);
      report.warn(`${name} was tried and did not answer.`, cause);
      const [text = '', ...said] = sentence.split('\n');
      const detail = [...bulleted(said), '', typedAs(line.command, line.args), '', hint];
      const choice = await ask({ severity: 'error', text, detail, buttons: ['Try Again', 'Add Anyway'] });
      if (choice === 'Try Again') continue;
      if (choice === 'Add Anyway') await save(candidate, gate);
      return choice === 'Add Anyway';
    }
  }
}

/** As the person would write it. What they wrote there stays. */
async function save({ name, line }: Candidate, gate: Pick<EntryGate, 'agree'>): Promise<void> {
  const { command, args, env: variables } = line;
  const settings = workspace.getConfiguration('throughline');
  const written = settings.inspect<{ readonly [id: string]: unknown }>('agents')?.globalValue ?? {};
  const entry = {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(Object.keys(variables).length > 0 ? { env: variables } : {}),
  };
  const value = configuredAgentsIn({ [name]: entry }).get(name);
  // First, so that whoever learns of the new setting finds that it is agreed to.
  if (value) await gate.agree({ kind: 'agent', name, value });
  await settings.update('agents', { ...written, [name]: entry }, ConfigurationTarget.Global);
}

/** How an agent of the person’s own is started. */
async function askCommand(): Promise<ConfiguredAgent | undefined> {
  const typed = await askForText({
    title: 'How is the agent started?',
    prompt: 'As in a terminal: the program, then its arguments. It is started as it is, without a shell.',
    placeHolder: 'my-agent --acp',
    ignoreFocusOut: true,
    validate: value => (commandWords(value) ? undefined : 'Type a program and its arguments, and close every quote.'),
  });
  const words = typed === undefined ? null : commandWords(typed);
  return words ? { ...words, env: {} } : undefined;
}

/** What it is called. */
async function askName(command: string, taken: readonly string[]): Promise<string | undefined> {
  const usual = basename(command).replace(/\.(exe|cmd|bat|com|mjs|js|py)$/i, '');
  const name = await askForText({
    title: 'What is it called?',
    prompt: 'Shown above its answers.',
    value: taken.includes(usual) ? '' : usual,
    ignoreFocusOut: true,
    validate(value) {
      if (value.trim() === '') return 'It needs a name.';
      return taken.includes(value.trim()) ? 'There is an agent of this name already.' : undefined;
    },
  });
  return name?.trim();
}
