// An agent of the public registry: chosen from its list, shown with what would be fetched and run, and brought to this
// machine only after that. Promises: the network is asked when this is called and not before; what is fetched can be
// stopped, and leaves nothing behind then.

import { ProgressLocation, ThemeIcon, Uri, env, window, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { Installed } from '../../../node/registry/install.ts';
import type { RegistryAgent, Way } from '../../../node/registry/registry.ts';
import type { Registry } from '../../../node/registry/registryFile.ts';
import type { Candidate } from './addAgent.ts';
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
  if (!(await confirmInstall(agent, way))) return undefined;
  const installed = await inProgress(`Installing ${agent.name}`, (report, signal) =>
    source.install(agent, way, report, signal),
  );
  return installed && { name: agent.name, line: installed };
}

function choose({ agents, since, trouble }: Registry, now: number): Promise<RegistryAgent | undefined> {
  const pick = window.createQuickPick<QuickPickItem & { readonly agent: RegistryAgent }>();
  pick.title = 'Agents of the registry';
  pick.placeholder =
    trouble === null
      ? 'Which one? You see what would be downloaded and run before it is'
      : `This list is ${ageWords(now - since)} old: ${trouble}`;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = agents.map(agent => ({
    agent,
    label: agent.name,
    description: [agent.version, agent.authors.join(', ')].filter(Boolean).join(' · '),
    detail: agent.description,
    ...(agent.website === null ? {} : { buttons: [website] }),
  }));
  return new Promise<RegistryAgent | undefined>(resolve => {
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.agent.website !== null) void env.openExternal(Uri.parse(item.agent.website, true));
    });
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.agent));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}

async function confirmInstall(agent: RegistryAgent, way: Way): Promise<boolean> {
  const { question, detail, button, isWarning } = installQuestion(agent, way);
  const show = isWarning ? window.showWarningMessage : window.showInformationMessage;
  return (await show(question, { modal: true, detail }, button)) === button;
}

/** Undefined where the person stopped it. */
function inProgress<Value>(
  title: string,
  run: (report: (words: string) => void, signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return Promise.resolve(
    window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      try {
        return await run(message => progress.report({ message }), abort.signal);
      } catch (cause) {
        if (abort.signal.aborted) return undefined;
        throw cause;
      }
    }),
  );
}

function ageWords(milliseconds: number): string {
  const hours = Math.max(1, Math.round(milliseconds / 3_600_000));
  if (hours < 48) return hours === 1 ? 'an hour' : `${hours} hours`;
  return `${Math.round(hours / 24)} days`;
}
