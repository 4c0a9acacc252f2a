// What the manifest promises by itself: words for every state of the Sessions view, a walkthrough whose steps can be done,
// settings that no workspace writes, and keys that take nothing away.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GuideSteps } from '../../../src/host/guideSteps.ts';
import { stage } from '../conversation/stage.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const words = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}
interface Setting {
  readonly scope?: string;
  readonly order?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly viewsWelcome: readonly { readonly contents: string; readonly when: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
    readonly configuration: { readonly properties: Record<string, Setting> };
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
  };
};
const ours = new Set(contributes.commands.map(({ command }) => command));

function said(key: string): string {
  assert.match(key, /^%.+%$/, 'what a person reads stands in package.nls.json');
  const found = words[key.slice(1, -1)];
  assert.ok(found, key);
  return found;
}

/** Of ours, or of VS Code's own. */
function links(text: string): readonly string[] {
  const found = [...text.matchAll(/\]\(command:([\w.]+)/g)].map(([, command = '']) => command);
  for (const command of found) if (command.startsWith('throughline.')) assert.ok(ours.has(command), command);
  return found;
}

const states = {
  'nothing yet': [{}, 'throughline.newSession', /kept in this workspace until/],
  'Restricted Mode': [{ isWorkspaceTrusted: false }, 'workbench.trust.manage', /Restricted Mode/],
  'no folder': [{ 'workbenchState == empty': true }, 'vscode.openFolder', /No folder is open/],
  'a history that could not be opened': [
    { 'throughline.historyFailed': true },
    'throughline.showLog',
    /could not be opened/,
  ],
  'several folders': [{ 'workspaceFolderCount > 1': true }, 'throughline.newSession', /choose where it begins/],
  'a remote window': [{ remoteName: true }, 'throughline.newSession', /on the remote machine/],
  'a remote window with several folders': [
    { remoteName: true, 'workspaceFolderCount > 1': true },
    'throughline.newSession',
    /on the remote machine/,
  ],
  'no history, in Restricted Mode': [
    { 'throughline.historyFailed': true, isWorkspaceTrusted: false },
    'throughline.showLog',
    /could not be opened/,
  ],
} as const;
for (const [state, [changes, button, itsWords]] of Object.entries(states))
  test(`[H112] the Sessions view has one welcome, with the button that helps: ${state}`, () => {
    const usual = {
      isWorkspaceTrusted: true,
      'workbenchState == empty': false,
      'throughline.historyFailed': false,
      'workspaceFolderCount > 1': false,
      remoteName: false,
    };
    const now: Record<string, boolean> = { ...usual, ...changes };
    const holds = (term: string): boolean => {
      if (term.startsWith('!')) return !holds(term.slice(1));
      if (term === 'workspaceFolderCount < 2') return !holds('workspaceFolderCount > 1');
      if (term === 'workbenchState != empty') return !holds('workbenchState == empty');
      assert.ok(term in now, term);
      return now[term] === true;
    };
    const shown = contributes.viewsWelcome.filter(({ when }) => when.split(' && ').every(holds));
    assert.equal(shown.length, 1);
    const contents = said(shown[0]?.contents ?? '');
    assert.ok(links(contents).includes(button));
    assert.match(contents, itsWords);
  });

test('[H112] every step of the walkthrough has a picture, leads somewhere and can be done', () => {
  const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
  assert.deepEqual(
    steps.map(({ id }) => id),
    ['ask', 'connect', 'branch', 'resume', 'find'],
  );
  const told: string[] = [];
  const guide = new GuideSteps(name => told.push(`onContext:throughline.${name}`));
  const message = { id: 'm1' };
  const transcript = { messages: [message], branches: { beside: { m1: ['m1', 'm2'] }, below: [] } };
  guide.hear({ transcript } as unknown as Parameters<typeof guide.hear>[0]);
  for (const { description, media, completionEvents } of steps) {
    assert.ok(links(said(description)).length > 0);
    assert.ok(said(media.altText));
    const svg = readFileSync(join(root, media.svg), 'utf8');
    assert.ok(existsSync(join(root, media.svg)) && svg.includes('var(--vscode-'), `${media.svg} follows the theme`);
    assert.doesNotMatch(svg, /#[0-9a-f]{3,8}\b/i);
    for (const event of completionEvents) {
      const [kind, name = ''] = event.split(/:(.*)/);
      if (kind === 'onCommand') assert.ok(ours.has(name), event);
      else if (kind === 'onSettingChanged') assert.ok(name in contributes.configuration.properties, event);
      else assert.ok(told.includes(event), event);
    }
  }
});

test('[H112] a step is told once, and not before it was done', async t => {
  const { conversation, agent, ended } = await stage(t);
  const told: string[] = [];
  const guide = new GuideSteps(name => told.push(name));
  guide.hear(conversation);
  assert.deepEqual(told, []);
  await conversation.send('one');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await ended();
  guide.hear(conversation);
  guide.hear(conversation);
  assert.deepEqual(told, ['hasAsked']);
});

for (const [name, setting] of Object.entries(contributes.configuration.properties))
  test(`[H113] the setting ${name} is whole, and no workspace writes it`, () => {
    assert.match(setting.scope ?? '', /^(machine|application)$/);
    assert.ok(setting.order !== undefined && setting.default !== undefined);
    assert.ok(said(setting.description ?? setting.markdownDescription ?? '').endsWith('.'));
    assert.equal(setting.enum?.length, setting.enumDescriptions?.length);
    for (const one of setting.enumDescriptions ?? []) said(one);
  });

test('[H113] settings stand each in its own place, and keys say where they count', () => {
  const orders = Object.values(contributes.configuration.properties).map(({ order }) => order);
  assert.equal(new Set(orders).size, orders.length);
  for (const { command, when } of contributes.keybindings) assert.ok(when, `${command} takes its key everywhere`);
});
