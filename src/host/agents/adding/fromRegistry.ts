// An agent of the public registry: chosen from its list, shown with what would be fetched and run, and brought to this
// machine only after that. Promises: the network is asked when this is called and not before; what is fetched can be
// stopped, and leaves nothing behind then.

import { ThemeIcon, Uri, env, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { Installed } from '../../../node/registry/install.ts';
import type { RegistryAgent, Way } from '../../../node/registry/registry.ts';
import type { Registry } from '../../../node/registry/registryFile.ts';
import type { Candidate } from './addAgent.ts';
import { ask } from '../../notify/messages.ts';
import { Picker } from '../../notify/pickers.ts';
import { showProgress, type ProgressStep } from '../../notify/progress.ts';
import { installQuestion } from './installQuestion.ts';

export interface RegistrySource {
  /** Throws in words. */
  readonly load: (signal: AbortSignal) => Promise<Registry>;
  /** Throws in words. */
  readonly install: (
    agent: RegistryAgent,
    way: Way,
    onStep: (words: string) => void,
    signal: AbortSignal,
  ) => Promise<Installed>;
  readonly now: () => number;
}

const website: QuickInputButton = { iconPath: new ThemeIcon('link-external'), tooltip: 'Open Its Website' };

/** Undefined where the person went back. Throws in words. */
export async function fromRegistry(source: RegistrySource): Promise<Candidate | undefined> {
  const registry = await inProgress('Reading the registry of agents…', (_report, signal) => source.load(signal));
  if (!registry) return undefined;
  const agent = await choose(registry, source.now());
  const [way] = agent?.ways ?? [];
  if (!agent || !way) return undefined;
  const { button, isWarning, ...question } = installQuestion(agent, way);
  const severity = isWarning ? 'warning' : 'info';
  if (!(await ask({ severity, ...question, buttons: [button] }))) return undefined;
  const installed = await inProgress(`Installing ${agent.name}`, (report, signal) =>
    source.install(agent, way, message => report({ message }), signal),
  );
  return installed && { name: agent.name, line: installed };
}

function choose({ agents, since, trouble }: Registry, now: number): Promise<RegistryAgent | undefined> {
  const picker = new Picker<QuickPickItem & { readonly agent: RegistryAgent }>({
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const rows = agents.map(agent => ({
    agent,
    label: agent.name,
    description: [agent.version, agent.authors.join(', ')].filter(Boolean).join(' · '),
    detail: agent.description,
    ...(agent.website === null ? {} : { buttons: [website] }),
  }));
  const placeholder =
    trouble === null
      ? 'Which one? You see what would be downloaded and run before it is'
      : `This list is ${ageWords(now - since)} old: ${trouble}`;
  picker.set({ title: 'Agents of the registry', placeholder, rows });
  return new Promise<RegistryAgent | undefined>(resolve => {
    picker.onRowButton(({ agent }) => {
      if (agent.website !== null) void env.openExternal(Uri.parse(agent.website, true));
    });
    picker.onAccept(() => resolve(picker.selected[0]?.agent));
    picker.onHide(() => resolve(undefined));
    picker.show();
  }).finally(() => picker.dispose());
}

/** Undefined where the person stopped it. */
function inProgress<Value>(
  title: string,
  run: (report: (step: ProgressStep) => void, signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  return showProgress({ title, cancellable: true }, async (report, signal) => {
    try {
      return await run(report, signal);
    } catch (cause) {
      if (signal.aborted) return undefined;
      throw cause;
    }
  });
}

function ageWords(milliseconds: number): string {
  const hours = Math.max(1, Math.round(milliseconds / 3_600_000));
  if (hours < 48) return hours === 1 ? 'an hour' : `${hours} hours`;
  return `${Math.round(hours / 24)} days`;
}
