// "Test Agent": says in words whether an agent would answer now, what it can, and, where it would not, what is wrong and
// what to do about it.

import { commands, workspace, type QuickPickItem } from 'vscode';
import type { AgentPlace } from '../../../core/agents.ts';
import { configuredAgents } from '../../personSettings.ts';
import type { Report } from '../../report.ts';
import type { Agents } from '../agents.ts';
import { abilityWords, bulleted, troubleOf } from './agentWords.ts';
import { typedAs } from './commandWords.ts';
import { tryAgent } from './tryAgent.ts';
import { ask, showInfo } from '../../notify/messages.ts';
import { pickOne } from '../../notify/pickers.ts';

export interface TestAgentPorts {
  readonly agents: Agents;
  readonly place: () => AgentPlace;
  readonly report: Report;
}

/** The one of that id, or one that the person chooses. */
export async function testAgent(named: string | undefined, ports: TestAgentPorts): Promise<void> {
  if (!workspace.isTrusted) {
    return void showInfo('In Restricted Mode no agent is started, not even to test it.');
  }
  const id = named ?? (await choose(ports.agents));
  const line = id === undefined ? undefined : ports.agents.lineOf(id);
  if (id === undefined || !line) return;
  const written = typedAs(line.command, line.args);
  try {
    await ports.agents.admit(id);
    const program = await ports.agents.candidate(id, line, configuredAgents().has(id));
    const tried = await tryAgent(program, ports.place());
    if (!tried) return;
    const { called, abilities } = tried.running;
    const choices = tried.choices.length > 0 ? [`Lets you choose: ${tried.choices.join(', ')}.`] : [];
    const detail = [called ?? '', written, '', ...bulleted([...abilityWords(abilities), ...choices])];
    await ask({ severity: 'info', text: `${id} answers and can start sessions here.`, detail, buttons: [] });
  } catch (cause) {
    const { sentence, hint, signIn } = troubleOf(id, cause);
    ports.report.warn(`${id} was tested.`, cause);
    const [text = '', ...said] = sentence.split('\n');
    const detail = [...bulleted(said), '', written, '', hint];
    if (signIn) return void ask({ severity: 'info', text, detail, buttons: [] });
    const choice = await ask({ severity: 'error', text, detail, buttons: ['Open Settings'] });
    if (choice) await commands.executeCommand('workbench.action.openSettings', '@id:throughline.agents');
  }
}

async function choose(agents: Agents): Promise<string | undefined> {
  const items = agents.programsHere().map(({ id, name, detail }): QuickPickItem & { readonly id: string } => ({
    id,
    label: name,
    detail,
  }));
  if (items.length === 0) {
    const choice = await showInfo('There is no agent to test yet.', 'Add Agent…');
    if (choice) await commands.executeCommand('throughline.addAgent');
    return undefined;
  }
  return (await pickOne(items, { title: 'Test which agent?' }))?.id;
}
