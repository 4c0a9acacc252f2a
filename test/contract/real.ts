// Real agents as contenders: each with a home of its own, and a model server on loopback that does what the prompt says
// and keeps what the model was told. Nothing that they need is anywhere else.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import { openChild } from '../../src/node/acp/childProcess.ts';
import { environmentFor } from '../../src/node/acp/commandLine.ts';
import type { Transport } from '../../src/node/acp/transport.ts';
import { systemClock } from '../../src/node/clock.ts';
import { serveModels } from '../agents/models/server.ts';
import type { Abilities, Backstage, Contender } from '../unit/contract/contender.ts';
import { byOrders } from '../unit/contract/orders.ts';
import type { Case } from '../unit/contract/runner.ts';
import type { Installed } from './install.ts';

/** The same agent, which does not say that it resumes: it is loaded, with a replay of what was said. */
export function loading(contender: Contender): Contender {
  const { name, can, setUp: begin } = contender;
  return {
    ...contender,
    name: `${name}, loaded`,
    can: { ...can, playsBack: true },
    async setUp(t, project) {
      const backstage = await begin(t, project);
      const open: Backstage['open'] = async onWarning => withoutResume(await backstage.open(onWarning));
      return { ...backstage, open };
    },
  };
}

function withoutResume(transport: Transport): Transport {
  const readable = transport.stream.readable.pipeThrough(
    new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        const text = JSON.stringify(message);
        controller.enqueue(
          text.includes('"agentCapabilities"')
            ? (JSON.parse(text.replace('"resume":', '"_resume":')) as AnyMessage)
            : message,
        );
      },
    }),
  );
  return { ...transport, stream: { ...transport.stream, readable } };
}

type Environment = { readonly [name: string]: string };

const homes: string[] = [];

/** What an agent started may go on for a second after it. */
after(async () => {
  await delay(homes.length > 0 ? 2000 : 0);
  homes.forEach(remove);
});

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** What is set for an agent, given where its model is and where it may keep things. */
type Settings = (address: string, home: string) => Environment;

export function opencode(installed: () => Installed): Contender {
  return real('opencode', installed, opencodeSettings, { playsBack: true });
}

export function claude(installed: () => Installed): Contender {
  return real('claude', installed, claudeSettings, { limited: true, playsBack: true });
}

const opencodeSettings: Settings = (address, home) => {
  const limit = { context: 50_000_000, output: 4_000_000 };
  const options = { baseURL: `${address}/v1`, apiKey: 'none' };
  const models = { model: { name: 'Model', tool_call: true, limit } };
  const config = {
    model: 'test/model',
    small_model: 'test/model',
    autoupdate: false,
    share: 'disabled',
    provider: { test: { npm: '@ai-sdk/openai-compatible', name: 'Test', options, models } },
    permission: { edit: 'ask', bash: 'ask' },
  };
  return {
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  };
};

const claudeSettings: Settings = (address, home) => ({
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_API_KEY: 'none',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
  // In a container a test may well be root, which the agent refuses elsewhere.
  IS_SANDBOX: '1',
});

function real(name: string, installed: () => Installed, settings: Settings, can: Abilities): Contender {
  return {
    name,
    id: name,
    setUp: t => setUp(t, installed(), settings),
    ...byOrders,
    can: {
      ...byOrders.can,
      dies: true,
      remembers: true,
      ...can,
    },
  };
}

async function setUp(t: Case, { command, args }: Installed, settings: Settings): Promise<Backstage> {
  const server = await serveModels();
  t.after(() => server.close());
  const home = mkdtempSync(join(tmpdir(), 'throughline-home-'));
  const own = { HOME: home, USERPROFILE: home, ...settings(server.address, home) };
  homes.push(home);
  return {
    open: onWarning =>
      openChild({ command, args, cwd: home, env: environmentFor(process.env, own) }, systemClock, onWarning),
    told(word) {
      const request = server.requests.find(({ isMain, order: text }) => isMain && text.includes(word));
      if (!request) throw new Error(`No model was told of ${word}.`);
      return request.messages;
    },
    forget() {
      remove(home);
      mkdirSync(home);
    },
  };
}
