// What the commands about agents do, loaded when the first of them is used: choosing who answers, adding one and testing
// it, and what is kept for them: secrets, and what they are always allowed.

import { join } from 'node:path';
import { modelsRef } from '../../agent/refs.ts';
import type { AgentPlace } from '../../core/agents.ts';
import type { SessionId } from '../../model/message.ts';
import { httpClient, httpLimits, type HttpLimits } from '../../node/http/client.ts';
import { install } from '../../node/registry/install.ts';
import { platformOf } from '../../node/registry/registry.ts';
import { registryOf } from '../../node/registry/registryFile.ts';
import type { ChatView } from '../chat/chatView.ts';
import type { Conversations } from '../chat/conversations.ts';
import type { Report } from '../report.ts';
import { sessionOf, type Target } from '../sessions/sessionTargets.ts';
import { addAgent } from './adding/addAgent.ts';
import type { RegistrySource } from './adding/fromRegistry.ts';
import { testAgent } from './adding/testAgent.ts';
import type { Agents } from './agents.ts';
import { connectModel } from './connectModel.ts';
import type { EntryGate } from './entryGate.ts';
import type { FoundAgents } from './foundAgents.ts';
import type { LocalModels } from './localModels.ts';
import { manageRules } from './manageRules.ts';
import { manageSecrets } from './manageSecrets.ts';
import { pickAgent } from './pickAgent.ts';
import type { WorkspaceRules } from './rules.ts';
import type { Secrets } from './secrets.ts';
import { signOut } from './signOut.ts';

export { inTerminal } from './signInTerminal.ts';

export interface AgentActionPorts {
  readonly conversations: Conversations;
  readonly chat: ChatView;
  readonly agents: Agents;
  readonly found: FoundAgents;
  readonly local: () => Promise<LocalModels>;
  /** Where agents that were installed for this machine lie. */
  readonly installed: string;
  readonly place: () => AgentPlace;
  readonly rules: WorkspaceRules;
  readonly secrets: Secrets;
  readonly gate: EntryGate;
  readonly report: Report;
  readonly now: () => number;
}

export type AgentCommand =
  | 'selectAgent'
  | 'addAgent'
  | 'testAgent'
  | 'connectModel'
  | 'manageSecrets'
  | 'allowRules'
  | 'signOut';

const registryUrl = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

export function agentActions(ports: AgentActionPorts): Record<AgentCommand, (target: Target) => Promise<void>> {
  const { conversations, chat, agents, rules, secrets, gate } = ports;
  /** From now on, in that conversation and in those that are begun here. */
  const answerWith = async (id: string, session: SessionId) => {
    await agents.admit(id);
    await (await conversations.get(session)).setAgent(await agents.get(id));
    await agents.choose(id);
  };
  return {
    async selectAgent(target) {
      const session = sessionOf(target) ?? chat.session;
      if (!session) return chat.focus();
      const picked = await pickAgent(agents, (await conversations.get(session)).agent);
      if (picked === undefined) return;
      // Without a model it could say nothing.
      if (picked === modelsRef.id && !(await agents.hasModels()) && !(await connectModel(secrets, gate))) return;
      await answerWith(picked, session);
    },
    async connectModel(target) {
      if (!(await connectModel(secrets, gate))) return;
      const session = sessionOf(target) ?? chat.session;
      if (session) await answerWith(modelsRef.id, session);
    },
    addAgent: () =>
      addAgent({
        ...ports,
        registry: publicRegistry(ports),
        async use(id) {
          const conversation = await (chat.session === null ? conversations.fresh() : conversations.get(chat.session));
          await answerWith(id, conversation.session);
          await chat.show(conversation);
        },
      }),
    testAgent: target => testAgent(typeof target === 'string' ? target : undefined, ports),
    manageSecrets: () => manageSecrets(secrets),
    allowRules: () => manageRules({ rules, agentName: id => agents.list().find(agent => agent.id === id)?.name ?? id }),
    signOut: () => signOut({ list: () => agents.programsHere(), get: id => agents.get(id) }),
  };
}

function publicRegistry({ installed: folder, found, now }: AgentActionPorts): RegistrySource {
  const downloadBy = (limits: HttpLimits) => {
    const http = httpClient(limits);
    return (url: string, signal: AbortSignal) => http(url, { signal });
  };
  const { env, platform, arch } = process;
  const find = (command: string) => found.program(command);
  return {
    now,
    load(signal) {
      const file = join(folder, 'registry.json');
      return registryOf(
        {
          url: registryUrl,
          file,
          platform: platformOf(platform, arch),
          download: downloadBy(httpLimits.registry),
          now,
        },
        signal,
      );
    },
    install: (agent, way, onStep, signal) =>
      install(agent, way, { folder, env, platform, download: downloadBy(httpLimits.archive), find, onStep }, signal),
  };
}
