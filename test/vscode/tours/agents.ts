// Who answers: agents chosen, added, tested and signed out; models connected; secrets and rules. The registry is one that
// was fetched an hour ago, and lies where the extension keeps it.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveModels } from '../../agents/models/server.ts';
import { composer, pick, send, type } from '../../e2e/panel.ts';
import { scriptedFile } from '../../unit/support/scriptedProgram.ts';
import type { Tour } from './tour.ts';

const env = { SCRIPTED_HOME: mkdtempSync(join(tmpdir(), 'throughline-agent-')) };
const line = { command: process.execPath, args: [scriptedFile, '--list', '--resume', '--images'], env };
const broken = { command: 'warehouse-agent', args: ['--acp'] };
const signingIn = { command: process.execPath, args: [scriptedFile, '--auth'], env };

export const agents: Tour = {
  options: {
    settings: {
      'throughline.agents': { 'Warehouse agent': line, 'Old agent': broken, 'Signs in': signingIn },
    },
  },
  async walk({ workbench, state }) {
    const { page } = workbench;
    const server = await serveModels({ key: 'sk-canary' });
    await workbench.showChat();
    await composer(workbench).click();
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const box = page.locator('.monaco-dialog-box');
    const run = (title: string) => workbench.runCommand(`Throughline: ${title}`);
    const listed = (title: string, row: string) => async () => {
      await run(title);
      await rows.filter({ hasText: row }).first().waitFor();
      return 'list' as const;
    };
    await state('select', listed('Select Agent…', 'Connect a Model…'));
    await state('add', listed('Add Agent…', 'Another program…'));
    await state('registryGone', async () => {
      await run('Add Agent…');
      await pick(workbench, 'From the registry…');
      await page.locator('.notification-toast').first().waitFor();
      await page.waitForTimeout(1500);
    });
    writeRegistry(workbench.server.home);
    await state('registry', async () => {
      await run('Add Agent…');
      await pick(workbench, 'From the registry…');
      await rows.filter({ hasText: 'Mistral' }).first().waitFor();
      return 'list';
    });
    await state('install', async () => {
      await run('Add Agent…');
      await pick(workbench, 'From the registry…');
      await pick(workbench, 'Mistral');
      await box.waitFor();
      return 'box';
    });
    await state('command', async () => {
      await run('Add Agent…');
      await pick(workbench, 'Another program…');
      await page.locator('.quick-input-widget input:visible').waitFor();
      await page.locator('.quick-input-widget input:visible').fill('"unfinished');
      return 'list';
    });
    const adding = async (words: string, name: string) => {
      await run('Add Agent…');
      await pick(workbench, 'Another program…');
      await type(workbench, words);
      await type(workbench, name);
      await box.waitFor();
      return 'box' as const;
    };
    await state('answers', () => adding(`"${process.execPath}" "${scriptedFile}" --resume --list`, 'My own'));
    await state('missing', () => adding('no-such-agent --acp', 'Missing'));
    const tested = (name: string) => async () => {
      await run('Test Agent…');
      await pick(workbench, name);
      await box.waitFor();
      return 'box' as const;
    };
    await state('testAsked', listed('Test Agent…', 'Old agent'));
    await state('tested', tested('Warehouse agent'));
    await state('testedMissing', tested('Old agent'));
    await state('testedSignIn', tested('Signs in'));
    await state('models', listed('Connect a Model…', 'Ollama'));
    await state('modelKey', async () => {
      await run('Connect a Model…');
      await pick(workbench, 'OpenRouter');
      await page.getByText('Key for OpenRouter').waitFor();
      return 'list';
    });
    await state('modelAddress', async () => {
      await run('Connect a Model…');
      await pick(workbench, 'Ollama');
      await page.getByText('Address of Ollama').waitFor();
      return 'list';
    });
    await state('modelRefused', async () => {
      await run('Connect a Model…');
      await pick(workbench, 'Another…');
      await type(workbench, 'Mine');
      await type(workbench, `${server.address}/v1`);
      await type(workbench, 'wrong');
      await box.waitFor();
      return 'box';
    });
    await state('connected', async () => {
      await run('Connect a Model…');
      await pick(workbench, 'Another…');
      await type(workbench, 'Mine');
      await type(workbench, `${server.address}/v1`);
      await type(workbench, 'sk-canary');
      await page.getByText('Mine is connected').first().waitFor();
    });
    await state('modelsAfter', listed('Connect a Model…', 'Disconnect Mine'));
    await state('modelPicker', async () => {
      await composer(workbench).click();
      await workbench
        .chat()
        .getByRole('button', { name: /^Model/ })
        .click();
      await rows.first().waitFor();
      return 'list';
    });
    await state('secrets', listed('Manage Secrets…', 'Add a secret'));
    await state('secretName', async () => {
      await run('Manage Secrets…');
      await pick(workbench, 'Add a secret');
      await page.getByText('Name of the new secret').waitFor();
      await page.locator('.quick-input-widget input:visible').fill('my key');
      return 'list';
    });
    await state('rulesNone', listed('Allow Rules…', 'Nothing is always allowed'));
    await state('ask', async () => {
      await send(workbench, 'write: {"path": "made.txt", "content": "made"}\nsay: "There it is."');
      await workbench.chat().getByRole('group', { name: 'Permission needed' }).waitFor();
      await page.waitForTimeout(700);
      return 'chat';
    });
    await state('rules', async () => {
      await workbench
        .chat()
        .getByRole('button', { name: /always/i })
        .first()
        .click();
      await workbench.chat().getByText('There it is.').last().waitFor();
      await run('Allow Rules…');
      await rows.filter({ hasText: 'since' }).waitFor();
      return 'list';
    });
    await state('signOut', async () => {
      await run('Sign Out of Agent…');
      await page.waitForTimeout(1200);
    });
    await server.close();
  },
};

function writeRegistry(home: string): void {
  const entry = (name: string, description: string, author: string, version: string) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    version,
    description,
    authors: [author],
    license: 'Apache-2.0',
    website: 'https://example.com',
    distribution: { npx: { package: `@example/agent@${version}`, args: ['--acp'], env: { QUIET: '1' } } },
  });
  const registry = [
    entry('Mistral Vibe', 'The command line of Mistral, with its own models', 'Mistral AI', '1.1.3'),
    entry('OpenHands', 'Writes, runs and reviews code in a sandbox', 'All Hands', '0.53.0'),
    entry(
      'Goose',
      'A local, extensible agent that automates engineering tasks from beginning to end, with any model that you like',
      'Block',
      '1.9.0',
    ),
  ];
  const folder = join(home, 'user-data', 'User', 'globalStorage', 'throughline.throughline', 'agents');
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ version: '1.0.0', agents: registry });
  writeFileSync(join(folder, 'registry.json'), JSON.stringify({ since: Date.now() - 30 * 60_000, text }));
}
